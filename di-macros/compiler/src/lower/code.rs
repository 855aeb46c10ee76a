//! Code around the user's own: passive code that is matched on, constants that are brought along, and
//! macros that are run for their effect. The one place of `lower` that makes tokens.

mod data;

use crate::ir::Tokens;
use crate::template::quote;
pub(super) use data::{decoded, encoded};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;
use syn::spanned::Spanned;

/// A name of our own, which is bound around code.
pub(super) fn name_of(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}

/// `use path as name;`
pub(super) fn use_item(path: &syn::Path, name: &Ident) -> TokenStream {
    quote!(use #path as #name;)
}

/// Whether code matches a pattern.
pub(super) fn matches(code: &TokenStream, pat: &TokenStream) -> TokenStream {
    quote!(::core::matches!(#code, #pat))
}

/// What a pattern that matches binds to a name, which stands there; a number behind a reference or not.
pub(super) fn bound_by(
    code: &TokenStream,
    pat: &TokenStream,
    (name, at): (&str, Span),
    number: bool,
) -> TokenStream {
    let name = Ident::new(name, at);
    let value = if number {
        quote!(#name.clone())
    } else {
        quote!(#name)
    };
    quote!(match #code { #pat => #value, _ => ::core::unreachable!() })
}

/// The rows that lie in these data.
pub(super) fn rows_as_list(data: &str, rows: &str) -> TokenStream {
    let (data, rows) = (name_of(data), name_of(rows));
    quote!(#rows.iter().map(|__row| #data[__row[0]..__row[1]].to_vec()).collect::<::std::vec::Vec<_>>())
}

/// A list with a value for each element of another, which goes by a name in it.
pub(super) fn each_of(
    list: &TokenStream,
    is_array: bool,
    name: &TokenStream,
    value: &TokenStream,
) -> TokenStream {
    match is_array {
        true => quote!(#list.map(|#name| #value)),
        false => {
            quote!({ #list.iter().cloned().map(|#name| #value).collect::<::std::vec::Vec<_>>() })
        }
    }
}

pub(super) fn default_of(ty: &TokenStream) -> TokenStream {
    quote!(<#ty as ::core::default::Default>::default())
}

/// `value.into()` of a known type.
pub(super) fn into(ty: &TokenStream, value: &TokenStream) -> TokenStream {
    quote!(::core::convert::Into::<#ty>::into(#value))
}

/// `Mode::Idle`
pub(super) fn variant(of: &TokenStream, name: &str) -> TokenStream {
    let name = name_of(name);
    quote!(#of::#name)
}

/// `&&code`
pub(super) fn behind(depth: usize, code: &TokenStream) -> TokenStream {
    let references = std::iter::repeat_n(quote!(&), depth);
    quote!(#(#references)* #code)
}

/// `(code) as i8`
pub(super) fn number_of_ordering(code: &TokenStream) -> TokenStream {
    quote!((#code) as ::core::primitive::i8)
}

/// Code that gives an ordering, and nothing else.
pub(super) fn typed_ordering(code: &TokenStream) -> TokenStream {
    quote!({
        let __order: ::core::cmp::Ordering = #code;
        __order
    })
}

/// A vector as the array that it is a copy of.
pub(super) fn array_of(name: &Ident, len: &TokenStream) -> TokenStream {
    quote! {
        let #name = ::core::result::Result::unwrap(
            <[_; #len] as ::core::convert::TryFrom<::std::vec::Vec<_>>>::try_from(#name),
        );
    }
}

/// `match code { pattern => value, .. }`
pub(super) fn chosen(
    code: TokenStream,
    arms: impl Iterator<Item = (TokenStream, TokenStream)>,
) -> TokenStream {
    let arms = arms.map(|(pattern, value)| quote!(#pattern => #value));
    quote!(match #code { #(#arms),* })
}

/// Lengths as they are written at a call: `<3, N>`.
pub(super) fn lengths(of: &[&TokenStream]) -> TokenStream {
    quote!(<#({ #of }),*>)
}

/// `::Method<hash>>::Code`, or `::MethodAt<hash, (Length<3>,)>>::Code` of a method with lengths of its own.
pub(super) fn of_instance(hash: u64, own: &[Tokens], item: &str, rt: &TokenStream) -> TokenStream {
    let item = name_of(item);
    if own.is_empty() {
        return quote!(::Method<#hash>>::#item);
    }
    let each = own.iter().map(|n| &n.0);
    quote!(::MethodAt<#hash, (#(#rt::Length<{ #each }>,)*)>>::#item)
}

/// Any length: none, which all arrays may have.
pub(super) fn any_length() -> TokenStream {
    quote!(0)
}

/// `code` as a value of a type.
pub(super) fn typed(code: &TokenStream, ty: &syn::Type) -> TokenStream {
    quote!(({ let __typed: #ty = #code; __typed }))
}

// ---- values as they are shown ----

pub(super) fn reference(code: &TokenStream) -> TokenStream {
    quote!(&(#code))
}

/// `{ n - others }`
pub(super) fn length_without(n: &TokenStream, others: usize) -> TokenStream {
    quote!({ #n - #others })
}

/// `*(code)`
pub(super) fn dereferenced(code: &TokenStream) -> TokenStream {
    quote!(*(#code))
}

pub(super) fn tuple(parts: &[TokenStream]) -> TokenStream {
    quote!((#(#parts,)*))
}

/// `whole.0`
pub(super) fn part(whole: &TokenStream, k: usize) -> TokenStream {
    let k = proc_macro2::Literal::usize_unsuffixed(k);
    quote!(#whole.#k)
}

/// `vec![a, b]` or `[a, b]`
pub(super) fn list(elems: &[TokenStream], vector: bool) -> TokenStream {
    match vector {
        true => quote!(::std::vec![#(#elems,)*]),
        false => quote!([#(#elems,)*]),
    }
}

/// An `Option` or `Result` from its bool and its payloads.
pub(super) fn sum(parts: &[TokenStream]) -> TokenStream {
    match parts {
        [flag, some] => {
            quote!(if #flag { ::core::option::Option::Some(#some) } else { ::core::option::Option::None })
        }
        [flag, ok, err] => {
            quote!(if #flag { ::core::result::Result::Ok(#ok) } else { ::core::result::Result::Err(#err) })
        }
        parts => tuple(parts),
    }
}

/// `{ let name = value; .. call }`
pub(super) fn with_arguments(
    args: &[(TokenStream, TokenStream)],
    call: &TokenStream,
) -> TokenStream {
    if args.is_empty() {
        return call.clone();
    }
    let binds = args.iter().map(|(name, value)| quote!(let #name = #value;));
    quote!({ #(#binds)* #call })
}

/// What stands in `vec![..]`, as an array.
pub(super) fn in_brackets(list: &TokenStream) -> TokenStream {
    quote!([#list])
}

/// `of; len`
pub(super) fn repeated(of: &syn::Expr, len: &syn::Expr) -> TokenStream {
    quote!(#of; #len)
}

/// The number of elements of a list of std.
pub(super) fn count(rt: &TokenStream, list: &TokenStream) -> TokenStream {
    quote!(#rt::count(#list))
}

/// A number, of which this is a reference to code that may be one itself.
pub(super) fn number_behind(rt: &TokenStream, number: &str, code: &TokenStream) -> TokenStream {
    let number = primitive(number, Span::call_site());
    quote!(#rt::number_behind::<#number, _>(#code))
}

/// What rounding to `f32` adds to a number.
pub(super) fn rounding(rt: &TokenStream, name: &str) -> TokenStream {
    let name = name_of(name);
    quote!(#rt::rounding(#name))
}

// ---- types ----

/// A number type of std, whatever is in scope.
pub(super) fn primitive(name: &str, span: Span) -> TokenStream {
    let name = Ident::new(name, span);
    quote!(::core::primitive::#name)
}

/// `[of; n]`
pub(super) fn array(of: &TokenStream, n: &TokenStream) -> TokenStream {
    quote!([#of; #n])
}

/// What is in the option or result that a path leads to.
pub(super) fn payload(of: &TokenStream, rt: &TokenStream) -> TokenStream {
    quote!(<#of as #rt::Payload>::Type)
}

/// The vector of a type.
pub(super) fn vector(of: &TokenStream) -> TokenStream {
    quote!(::std::vec::Vec<#of>)
}

/// The type of texts that are numbers in lists of tuples, by a path that no user writes.
pub(super) fn text_type(is_owned: bool) -> TokenStream {
    match is_owned {
        true => quote!(::std::string::String),
        false => quote!(&'static ::std::primitive::str),
    }
}

/// `&String` as the text that it has.
pub(super) fn as_text(code: &TokenStream) -> TokenStream {
    quote!(::std::string::String::as_str(#code))
}

pub(super) fn slice(of: &TokenStream) -> TokenStream {
    quote!([#of])
}

/// The option of a type.
pub(super) fn option(of: &TokenStream) -> TokenStream {
    quote!(::core::option::Option<#of>)
}

/// `(code).name`, or `(code).0`
pub(super) fn field(code: &TokenStream, name: &str) -> TokenStream {
    let member = match name.parse::<usize>() {
        Ok(index) => syn::Member::Unnamed(index.into()),
        Err(_) => syn::Member::Named(name_of(name)),
    };
    quote!((#code).#member)
}

/// A copy of a part of a constant.
pub(super) fn cloned(code: &TokenStream) -> TokenStream {
    quote!(::core::clone::Clone::clone(&#code))
}

/// A view of a derived struct.
pub(super) fn viewed(code: &TokenStream) -> TokenStream {
    quote!((#code).__viewed())
}

/// A part of a view as a value of its own.
pub(super) fn owned(code: &TokenStream) -> TokenStream {
    quote!((#code).to_owned())
}

/// A list in a view as one of its own, whose elements have fields that all modules see.
pub(super) fn listed_anew(code: &TokenStream) -> TokenStream {
    quote!((#code).to_vec())
}

/// An option of a tuple in a view as one of std.
pub(super) fn optional(code: &TokenStream) -> TokenStream {
    quote!((#code).into_option())
}

/// `<P>::name()`
pub(super) fn call_of(path: &TokenStream, name: &str) -> TokenStream {
    let name = name_of(name);
    quote!(<#path>::#name())
}

/// `a, b`
pub(super) fn listed(each: &[TokenStream]) -> TokenStream {
    quote!(#(#each),*)
}

/// `where a, b`
pub(super) fn bounds(each: impl Iterator<Item = TokenStream>) -> TokenStream {
    quote!(where #(#each),*)
}

/// A type that is borrowed for as long as can be.
pub(super) fn borrowed_for_good(ty: &TokenStream) -> TokenStream {
    quote!(&'static #ty)
}

/// The type of no operand.
pub(super) fn nothing() -> TokenStream {
    quote!(())
}

// ---- macros ----

/// `path!(tokens)`
pub(super) fn macro_call(path: &syn::Path, tokens: &TokenStream) -> TokenStream {
    quote_spanned!(path.span()=> #path!(#tokens))
}

/// Names of what `write!` writes to, and of what it borrows for that.
pub(super) const SINK: &str = "__sink";
pub(super) const LENT: &str = "__borrowed";

/// `write!(sink, format)` with its result dropped, or `write!(sink, format).unwrap()`.
pub(super) fn write_call(
    path: &syn::Path,
    sink: &str,
    format: &TokenStream,
    tail: Option<(&Ident, Vec<&syn::Expr>)>,
) -> TokenStream {
    let sink = name_of(sink);
    let tail = tail.map(|(method, args)| quote!(.#method(#(#args),*)));
    quote!({ let _ = #path!(#sink, #format)#tail; })
}

/// Name and value of what is bound by `let` to be written to.
pub(super) fn sink(name: &str, to: TokenStream) -> (TokenStream, TokenStream) {
    let ident = name_of(name);
    if name == LENT {
        (quote!(#ident), quote!(&mut #to))
    } else {
        (quote!(mut #ident), to)
    }
}

/// `panic!` at the user's line: rustc reports what a macro writes itself at the attribute.
pub(super) fn panic(at: Span, tokens: &TokenStream) -> TokenStream {
    quote_spanned!(at=> ::core::panic!(#tokens))
}

/// What `assert!` says.
pub(super) fn failed(condition: &syn::Expr) -> TokenStream {
    quote!("assertion failed: {}", ::core::stringify!(#condition))
}

/// `panic!` as `assert_eq!` does it; `detail` is what the user wants to be said.
pub(super) fn panic_on_sides(
    at: Span,
    text: &str,
    detail: Option<&TokenStream>,
    left: &Ident,
    right: &Ident,
) -> TokenStream {
    let shown = format!("{text}{{}}\n  left: {{:?}}\n right: {{:?}}");
    let detail = match detail {
        Some(tokens) => quote!(::core::format_args!(": {}", ::core::format_args!(#tokens))),
        None => quote!(""),
    };
    panic(at, &quote!(#shown, #detail, #left, #right))
}

/// A text, or what a name holds, as the message of a panic.
pub(super) fn said(name: &Ident) -> TokenStream {
    quote!("{}", #name)
}

pub(super) fn text(text: &str) -> TokenStream {
    quote!(#text)
}

/// Whether assertions for debugging are on.
pub(super) fn debug_assertions() -> TokenStream {
    quote!(::core::cfg!(debug_assertions))
}

/// One more argument of a formatting macro: `, name = value`.
pub(super) fn argument(name: Option<&Ident>, value: &TokenStream) -> TokenStream {
    match name {
        Some(name) => quote!(, #name = #value),
        None => quote!(, #value),
    }
}

/// What `dbg!` prints: of an expression, or of a line.
pub(super) fn debug_line(shown: Option<(&syn::Expr, &TokenStream)>) -> TokenStream {
    let place = quote!(::core::file!(), ::core::line!(), ::core::column!());
    match shown {
        Some((code, shown)) => {
            quote!(
                ::std::eprintln!("[{}:{}:{}] {} = {:#?}", #place, ::core::stringify!(#code), #shown)
            )
        }
        None => quote!(::std::eprintln!("[{}:{}:{}]", #place)),
    }
}

/// What a sign says of the name behind it: `.name` is a field or a method, `::name` an item. `a..name` and
/// `field: name` are neither. `before` is what the sign in front of it has said.
pub(crate) fn access(before: Option<char>, sign: &proc_macro2::Punct) -> Option<char> {
    let (sign, is_alone) = (
        sign.as_char(),
        sign.spacing() == proc_macro2::Spacing::Alone,
    );
    let is_end = sign == '.' && before == Some('.');
    let is_single = sign == ':' && before != Some(':') && is_alone;
    Some(if is_end || is_single { ' ' } else { sign })
}

/// Whether a word between these is the name of an argument of a macro: `format!("{t}", t = t)`.
pub(crate) fn is_argument(before: Option<char>, next: Option<&proc_macro2::TokenTree>) -> bool {
    let is_given = matches!(next, Some(proc_macro2::TokenTree::Punct(p))
        if p.as_char() == '=' && p.spacing() == proc_macro2::Spacing::Alone);
    before == Some(',') && is_given
}

// ---- state ----

/// `{ let from: &T = &code; (parts) }`
pub(super) fn read(
    code: &TokenStream,
    ty: &TokenStream,
    from: &TokenStream,
    parts: &[TokenStream],
) -> TokenStream {
    quote!({
        let #from: #ty = #code;
        let #from = &#from;
        (#(#parts),*)
    })
}

pub(super) fn is_some(option: &TokenStream) -> TokenStream {
    quote!(#option.is_some())
}

/// The value of an option in a view, or zero.
pub(super) fn value_in_view(option: &TokenStream) -> TokenStream {
    quote!((#option).unwrap_or_default())
}

/// A number in an option of which this is a reference, where `some` refers to what it holds.
pub(super) fn read_if_some(
    option: &TokenStream,
    some: &TokenStream,
    number: &TokenStream,
    otherwise: &TokenStream,
) -> TokenStream {
    quote!(match #option {
        ::core::option::Option::Some(#some) => #number,
        ::core::option::Option::None => #otherwise,
    })
}

pub(super) fn reference_to(mutable: bool, ty: &TokenStream) -> TokenStream {
    match mutable {
        true => quote!(&mut #ty),
        false => quote!(&#ty),
    }
}

/// A type that rustc infers.
pub(super) fn anything() -> TokenStream {
    quote!(_)
}

pub(super) fn literal(text: &str) -> TokenStream {
    text.parse().expect("a literal of our own")
}

/// `.iter()`
pub(super) fn iterated() -> TokenStream {
    quote!(.iter())
}
