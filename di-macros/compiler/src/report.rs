//! What one expansion collects: errors, and paths of items of which more has to be known. It knows nothing of
//! tokens beyond their spans.

use crate::error::{self, Message};
use proc_macro2::{Group, Span, TokenStream, TokenTree};
use std::cell::{Cell, RefCell};

/// What there is for code that is rejected, behind the first message of a function.
const OVERLOADED: &str = "or annotate the module with `#[overloaded]`, which takes nearly any Rust, \
     and use `AutoTape`: see docs/overloaded.md";

/// A stretch of the user's code, from the first token to the last.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    pub start: Span,
    pub end: Span,
}

impl From<Span> for Extent {
    fn from(span: Span) -> Extent {
        Extent {
            start: span,
            end: span,
        }
    }
}

/// One message at one place of the user's code.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    pub message: &'static Message,
    /// Fills the `{}` of the message.
    pub subject: String,
    /// Stands for the help of the message, where more is known of the cause.
    pub help: Option<String>,
    /// First token.
    pub span: Span,
    /// Last token.
    pub end: Span,
    /// It is the first of its function that is about the language, and says what else there is.
    pub leads: bool,
}

impl Diagnostic {
    /// A message whose text has no `{}`.
    pub(crate) fn new(extent: impl Into<Extent>, message: &'static Message) -> Diagnostic {
        let Extent { start: span, end } = extent.into();
        Diagnostic {
            message,
            subject: String::new(),
            help: None,
            span,
            end,
            leads: false,
        }
    }

    pub(crate) fn about(self, subject: String) -> Diagnostic {
        Diagnostic { subject, ..self }
    }

    /// What the user reads: code, text and help.
    pub fn text(&self) -> String {
        let text = self.message.with_help(&self.subject, self.help.as_deref());
        match self.leads {
            true => format!("{text}\n  = note: {}", OVERLOADED),
            false => text,
        }
    }
}

/// Messages on types that cannot be inferred, of which the first is enough.
const UNRESOLVED: [&Message; 5] = [
    &error::UNKNOWN_TYPE,
    &error::UNKNOWN_CALL_RESULT,
    &error::UNKNOWN_PASSIVE,
    &error::UNKNOWN_SEQUENCE,
    &error::UNKNOWN_ARGUMENT,
];

fn is(message: &Message, other: &Message) -> bool {
    message.code == other.code
}

fn is_unresolved(message: &Message) -> bool {
    UNRESOLVED.iter().any(|u| is(u, message))
}

/// What does not match where types are not known.
pub(crate) const UNKNOWN_TYPES: &str = "the types of this";

/// Types that do not fit, and where, if that is known.
#[derive(Clone, Copy, Debug)]
struct Mismatch {
    at: Option<Extent>,
    /// No alias can make them fit.
    is_certain: bool,
}

/// Collects the errors of a phase. It panics when dropped before [`Report::check`], so that none is
/// forgotten.
#[derive(Debug, Default)]
pub struct Report {
    errors: RefCell<Vec<Diagnostic>>,
    /// Where types do not fit for the first time.
    mismatch: Cell<Option<Mismatch>>,
    /// The types that do not fit there, if they are known.
    mismatched: RefCell<Option<String>>,
    /// What is being looked at, from the outside to the inside.
    at: RefCell<Vec<Extent>>,
    /// Paths of items of which more has to be known.
    asked: RefCell<Vec<TokenStream>>,
    placed: RefCell<Vec<TokenStream>>,
    checked: Cell<bool>,
}

/// Why a phase cannot be followed by the next one.
#[derive(Clone, Debug)]
pub enum Stop {
    /// The user's code uses what the compiler does not understand.
    Errors(Vec<Diagnostic>),
    /// The user's code has types that do not fit: rustc says so on the function itself.
    Mismatch,
}

impl Report {
    /// Notes an error at the smallest span that the user must change.
    pub fn error(&self, extent: impl Into<Extent>, message: &'static Message) {
        self.error_about(extent, message, "");
    }

    /// Notes an error whose text has a `{}`.
    pub fn error_about(
        &self,
        extent: impl Into<Extent>,
        message: &'static Message,
        subject: impl ToString,
    ) {
        self.add(extent.into(), message, &subject.to_string(), None);
    }

    /// The same with another help than that of the message.
    pub(crate) fn error_with_help(
        &self,
        extent: impl Into<Extent>,
        message: &'static Message,
        subject: &str,
        help: Option<String>,
    ) {
        self.add(extent.into(), message, subject, help);
    }

    fn add(&self, extent: Extent, message: &'static Message, subject: &str, help: Option<String>) {
        // what is not known in one place is not known in others for the same reason
        let is_known = |d: &Diagnostic| is_unresolved(d.message);
        if is_unresolved(message) && self.errors.borrow().iter().any(is_known) {
            return;
        }
        let subject = spelled(subject);
        // of a type that is taken for another one, once is enough
        let of_type = message.code == error::OPERATOR_ON_STRUCT.code;
        let is_same = |d: &Diagnostic| d.message.code == message.code && d.subject == subject;
        if of_type && self.errors.borrow().iter().any(is_same) {
            return;
        }
        let Extent { start: span, end } = self.of_user(extent);
        self.errors.borrow_mut().push(Diagnostic {
            message,
            subject,
            help,
            span,
            end,
            leads: false,
        });
    }

    /// Notes that two types do not fit; rustc reports it.
    pub fn mismatch(&self) {
        self.note(false);
    }

    /// The same of types that are known.
    pub(crate) fn mismatch_of(&self, extent: Extent, types: [String; 2]) {
        if self.mismatch.get().is_none() {
            let [a, b] = types.map(|ty| spelled(&ty));
            *self.mismatched.borrow_mut() = Some(match a == b {
                // what is written alike differs in that alone
                true => format!("a constant `{a}` and a differentiated `{a}`"),
                false => format!("`{a}` and `{b}`"),
            });
        }
        self.note_at(Mismatch {
            at: Some(extent),
            is_certain: false,
        });
    }

    /// What does not match, for a message.
    pub(crate) fn mismatched(&self) -> String {
        let types = self.mismatched.borrow();
        types.clone().unwrap_or_else(|| UNKNOWN_TYPES.to_owned())
    }

    /// Notes that two types do not fit, whatever names stand for.
    pub fn certain_mismatch(&self) {
        self.note(true);
    }

    fn note(&self, is_certain: bool) {
        let at = self.looked_at();
        self.note_at(Mismatch { at, is_certain });
    }

    /// The place is that of the first one.
    fn note_at(&self, found: Mismatch) {
        let mut mismatch = self.mismatch.get().unwrap_or(found);
        mismatch.is_certain |= found.is_certain;
        self.mismatch.set(Some(mismatch));
    }

    /// Where types do not fit for the first time, if that is known.
    pub fn mismatch_at(&self) -> Option<Extent> {
        self.mismatch.get().and_then(|m| m.at)
    }

    /// Whether rustc refuses the function for certain.
    pub fn is_certain(&self) -> bool {
        self.mismatch.get().is_some_and(|m| m.is_certain)
    }

    /// Notes that nothing is known of the item with this path, and that its type matters.
    pub(crate) fn ask(&self, path: TokenStream) {
        let mut asked = self.asked.borrow_mut();
        if !asked.iter().any(|p| p.to_string() == path.to_string()) {
            asked.push(path);
        }
    }

    /// The paths of the items of which more has to be known, each once.
    pub(crate) fn asked(&self) -> Vec<TokenStream> {
        self.asked.borrow().clone()
    }

    /// Notes a body that stands in the place of a call.
    pub(crate) fn place(&self, body: TokenStream) {
        self.placed.borrow_mut().push(body);
    }

    pub(crate) fn placed(&self) -> Vec<TokenStream> {
        self.placed.borrow().clone()
    }

    /// Looks at a stretch of code inside of what is looked at, until it looks away.
    pub(crate) fn look_at(&self, extent: Extent) {
        self.at.borrow_mut().push(extent);
    }

    pub(crate) fn look_away(&self) {
        self.at.borrow_mut().pop();
    }

    /// The innermost stretch that the user wrote.
    fn looked_at(&self) -> Option<Extent> {
        let at = self.at.borrow();
        let mut written = at.iter().rev().filter_map(|extent| written(*extent));
        written.next()
    }

    /// Code of ours takes the place of the user's: what is wrong with it is wrong with that.
    pub(crate) fn of_user(&self, extent: Extent) -> Extent {
        written(extent)
            .or_else(|| self.looked_at())
            .unwrap_or(extent)
    }

    /// Whether anything was noted so far.
    pub fn is_clean(&self) -> bool {
        self.errors.borrow().is_empty() && self.mismatch.get().is_none()
    }

    /// Barrier at the end of a phase. The report can go on being used afterwards.
    pub fn barrier(&self) -> Result<(), Stop> {
        let mut errors = self.errors.borrow().clone();
        // what follows from another error only confuses
        let follows =
            |d: &Diagnostic| is_unresolved(d.message) || is(d.message, &error::PASSIVE_TUPLE);
        if errors.iter().any(|d| !follows(d)) {
            errors.retain(|d| !follows(d));
        }
        if let Some(first) = errors.iter_mut().find(|d| d.message.is_of_language()) {
            first.leads = true;
        }
        if !errors.is_empty() {
            return Err(Stop::Errors(errors));
        }
        if self.mismatch.get().is_some() {
            Err(Stop::Mismatch)
        } else {
            Ok(())
        }
    }

    /// Takes over what another report has noted.
    pub fn absorb(&self, other: Report) {
        other.checked.set(true);
        self.errors
            .borrow_mut()
            .append(&mut other.errors.borrow_mut());
        if let Some(found) = other.mismatch.get() {
            if self.mismatch.get().is_none() {
                self.mismatched.replace(other.mismatched.take());
            }
            self.note_at(found);
        }
        for path in other.asked.borrow().iter() {
            self.ask(path.clone());
        }
    }

    /// Forgets what was noted, since it is found out again.
    pub fn discard(self) {
        self.checked.set(true);
    }

    /// Last barrier: the report is used up.
    pub fn check(self) -> Result<(), Stop> {
        self.checked.set(true);
        self.barrier()
    }
}

impl Drop for Report {
    fn drop(&mut self) {
        if !self.checked.get() && !std::thread::panicking() {
            panic!("a report was dropped unchecked");
        }
    }
}

impl Extent {
    /// Whether the user's token stands inside of it.
    fn holds(self, token: Span) -> bool {
        (self.start.start() <= token.start()) && (token.end() <= self.end.end())
    }

    /// The extent of passive code, or where it reads the variable, if that is elsewhere.
    pub(crate) fn or_read_of(self, name: &str, code: &TokenStream) -> Extent {
        let found = read_of(name, code).filter(|token| !self.holds(*token));
        found.map_or(self, Extent::from)
    }
}

/// Where the user's code names a variable.
fn read_of(name: &str, code: &TokenStream) -> Option<Span> {
    code.clone().into_iter().find_map(|tree| match tree {
        TokenTree::Ident(ident) => (ident == name && !is_made(ident.span())).then(|| ident.span()),
        TokenTree::Group(group) => read_of(name, &group.stream()),
        TokenTree::Punct(_) | TokenTree::Literal(_) => None,
    })
}

/// Code in which tokens that were made here stand where the user's code does that they were made for: there rustc says
/// what is wrong with them.
pub(crate) fn standing_at(at: Span, code: TokenStream) -> TokenStream {
    let place = |mut tree: TokenTree| {
        if let TokenTree::Group(group) = &tree {
            let mut inner = Group::new(group.delimiter(), standing_at(at, group.stream()));
            inner.set_span(group.span());
            tree = inner.into();
        }
        if is_made(tree.span()) {
            tree.set_span(Span::call_site().located_at(at));
        }
        tree
    };
    code.into_iter().map(place).collect()
}

/// The part of an extent that the user wrote: ends that were made here are left out.
fn written(extent: Extent) -> Option<Extent> {
    let Extent { start, end } = extent;
    match (is_made(start), is_made(end)) {
        (false, false) => Some(extent),
        (true, false) => Some(end.into()),
        (false, true) => Some(start.into()),
        (true, true) => None,
    }
}

/// Whether a token was made here: it stands where the attribute does.
fn is_made(span: Span) -> bool {
    span.start() == Span::call_site().start()
}

/// Tokens as people write them: `Option < f64 >` is `Option<f64>`.
pub(crate) fn spelled(tokens: &str) -> String {
    let mut text = tokens.to_owned();
    for (wide, close) in [
        (" :: ", "::"),
        (" < ", "<"),
        (" >", ">"),
        (" ,", ","),
        ("& ", "&"),
        (" ;", ";"),
        (" (", "("),
        (crate::symbol::SELF, "self"),
    ] {
        text = text.replace(wide, close);
    }
    text
}
