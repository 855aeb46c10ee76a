//! Parts of one root that are lent to one call, some of them behind `&mut`.

use super::Emitter;
use crate::ir::{Arg, LENT_NUMBER, Place, PlaceId, Proj, Type};
use crate::sorted::{Map, Set};
use crate::template::quote;
use proc_macro2::TokenStream;

/// References to parts that have been split off before the call, by number of the argument.
pub(crate) struct Lent {
    pub(crate) before: TokenStream,
    refs: Map<usize, TokenStream>,
    /// What was passed as `&mut`, and overlaps with another argument: the callee only reads it.
    read: Set<usize>,
}

/// What the users of one root have in common.
struct Shared {
    root: PlaceId,
    /// How many steps they begin with alike.
    steps: usize,
    /// A reference to an element that was borrowed once for all of them, and how many steps lead to it: an index of a
    /// vector borrows all of it.
    row: Option<(TokenStream, usize)>,
}

/// An argument: its number, what it borrows, and whether mutably.
type User = (usize, Place, bool);

impl Lent {
    /// The reference for an argument, if it was split off.
    pub(crate) fn get(&self, k: usize) -> Option<&TokenStream> {
        self.refs.get(&k)
    }

    pub(crate) fn is_only_read(&self, k: usize) -> bool {
        self.read.contains(&k)
    }
}

/// How many steps to an element or a field they begin with alike.
fn shared_steps(users: &[User]) -> usize {
    let steps = users[0].1.path.iter().enumerate();
    steps
        .take_while(|(_, s)| matches!(s, Proj::Index(_) | Proj::Field(..)))
        .take_while(|(k, step)| users.iter().all(|u| u.1.path.get(*k) == Some(*step)))
        .count()
}

impl Emitter<'_> {
    /// Whether a place is the array of one that stands for a number.
    pub(super) fn is_lent_number(&self, place: &Place) -> bool {
        place.path.is_empty() && self.body.place(place.root).hint == LENT_NUMBER
    }

    /// Splits the roots that more than one argument borrows a part of, one of them mutably. What the
    /// user's own borrows allow does not overlap. `primal`: of the arguments whose tangents these are.
    pub(crate) fn split_arguments<'p>(
        &self,
        args: impl Iterator<Item = Option<&'p Arg>>,
        primal: Option<&Lent>,
        name: &str,
    ) -> Lent {
        let mut lent = Lent {
            before: TokenStream::new(),
            refs: Map::new(),
            read: Set::new(),
        };
        let mut roots: Map<PlaceId, Vec<User>> = Map::new();
        for (k, arg) in args.enumerate() {
            let (place, mutable) = match arg {
                Some(Arg::Mut(place)) => (place, true),
                Some(Arg::Ref(place)) => (place, false),
                Some(Arg::Value(_) | Arg::Place(_) | Arg::Verbatim { .. }) | None => continue,
            };
            let place = self.unviewed(place);
            roots.get_or_default(place.root).push((k, place, mutable));
        }
        for (root, users) in roots {
            self.split_users((root, None), users, primal, name, &mut lent);
        }
        lent
    }

    /// Splits what they borrow, if it is one sequence; the fields of a struct are apart by themselves. `row`: see
    /// [`Shared`].
    fn split_users(
        &self,
        (root, row): (PlaceId, Option<(TokenStream, usize)>),
        users: Vec<User>,
        primal: Option<&Lent>,
        name: &str,
        lent: &mut Lent,
    ) {
        if users.len() < 2 || users.iter().all(|(_, _, mutable)| !mutable) {
            if let Some((row, steps)) = &row {
                for (k, place, mutable) in &users {
                    let path = self.steps(row.clone(), &place.path[*steps..]);
                    let reference = if *mutable {
                        quote!(&mut #path)
                    } else {
                        quote!(&#path)
                    };
                    let reference = self.lend_part(place, reference, *mutable);
                    lent.refs.insert(*k, reference);
                }
            }
            return;
        }
        let steps = shared_steps(&users);
        let shared = Shared { root, steps, row };
        let next = |u: &User| u.1.path.get(steps).cloned();
        if users
            .iter()
            .all(|u| matches!(next(u), Some(Proj::Field(..))))
        {
            let row = self.common_row(&shared, &users, name, lent);
            let mut rest = users;
            while let Some(first) = rest.first().map(&next) {
                let (same, others) = rest.into_iter().partition(|u| next(u) == first);
                self.split_users((root, row.clone()), same, primal, name, lent);
                rest = others;
            }
            return;
        }
        let into_fields = users
            .iter()
            .any(|u| matches!(next(u), Some(Proj::Field(..))));
        let whole = self.body.type_at(&Place {
            root,
            path: users[0].1.path[..steps].to_vec(),
        });
        let sequence = whole.is_none_or(|t| t.element().is_some());
        if into_fields || !sequence {
            return;
        }
        let inside = |a: &Place, b: &Place| b.path.starts_with(&a.path);
        let users: Vec<User> = users
            .iter()
            .map(|(k, p, mutable)| {
                let overlaps = users
                    .iter()
                    .any(|(j, q, _)| j != k && (inside(p, q) || inside(q, p)));
                let overlaps = overlaps || primal.is_some_and(|l| l.is_only_read(*k));
                if *mutable && overlaps {
                    lent.read.insert(*k);
                }
                (*k, p.clone(), *mutable && !overlaps)
            })
            .collect();
        self.split_root(&shared, &users, name, lent);
    }

    /// A path from its root, through the views that are written out.
    fn unviewed(&self, place: &Place) -> Place {
        match self.mutable_views.get(&place.root) {
            Some(of) => {
                let mut whole = self.unviewed(of);
                whole.path.extend(place.path.iter().cloned());
                whole
            }
            None => place.clone(),
        }
    }

    /// The element of a vector whose fields they borrow, borrowed before.
    fn common_row(
        &self,
        shared: &Shared,
        users: &[User],
        name: &str,
        lent: &mut Lent,
    ) -> Option<(TokenStream, usize)> {
        let (k, place, _) = users.first()?;
        let from = shared.row.as_ref().map_or(0, |(_, steps)| *steps);
        let is_indexed =
            (place.path[from..shared.steps].iter()).any(|s| matches!(s, Proj::Index(_)));
        if !is_indexed {
            return shared.row.clone();
        }
        let (id, whole) = (
            super::names::own(&format!("__{name}_row{k}")),
            self.whole(shared, place),
        );
        lent.before.extend(quote!(let #id = &mut #whole;));
        Some((quote!(#id), shared.steps))
    }

    /// What the shared steps lead to.
    fn whole(&self, shared: &Shared, place: &Place) -> TokenStream {
        match &shared.row {
            Some((row, from)) => self.steps(row.clone(), &place.path[*from..shared.steps]),
            None => self.path(&Place {
                root: shared.root,
                path: place.path[..shared.steps].to_vec(),
            }),
        }
    }

    fn split_root(&self, of: &Shared, users: &[User], name: &str, lent: &mut Lent) {
        let (rt, shared) = (self.rt, of.steps);
        let whole = self.whole(of, &users[0].1);
        let (mut mutable, mut read) = (Vec::new(), Vec::new());
        let (mut mutable_names, mut read_names) = (Vec::new(), Vec::new());
        for (k, place, is_mut) in users {
            let id = super::names::own(&format!("__{name}{k}"));
            if place.path.len() == shared {
                let len = super::names::own(&format!("__{name}_len{k}"));
                lent.before.extend(quote!(let #len = #whole.len();));
                let array =
                    matches!(self.body.type_at(place), Some(Type::Array(t, _)) if !t.is_lanes());
                let fixed = array.then(|| quote!(.try_into().expect("all elements")));
                let reference = quote!(#id #fixed);
                let reference = self.lend_part(place, reference, *is_mut);
                lent.refs.insert(*k, reference);
                let (ranges, names) = if *is_mut {
                    (&mut mutable, &mut mutable_names)
                } else {
                    (&mut read, &mut read_names)
                };
                ranges.push(quote!(0..#len));
                names.push(id);
                continue;
            }
            let (range, row, rest) = self.outer_range(&place.path[shared..]);
            let mut path = quote!(#id);
            if row {
                path = quote!(#path[0]);
            }
            path = self.steps(path, rest);
            let plain = !row && rest.is_empty();
            let reference = match (plain, *is_mut) {
                (true, true) => quote!(&mut *#id),
                (true, false) => quote!(#id),
                (false, true) => quote!(&mut #path),
                (false, false) => quote!(&#path),
            };
            let reference = self.lend_part(place, reference, *is_mut);
            lent.refs.insert(*k, reference);
            if *is_mut {
                mutable.push(range);
                mutable_names.push(id);
            } else {
                read.push(range);
                read_names.push(id);
            }
        }
        lent.before.extend(quote!(
            let ([#(#mutable_names),*], [#(#read_names),*]) =
                #rt::parts(&mut #whole[..], [#(#mutable),*], [#(#read),*]);
        ));
    }

    /// A reference to values, as the callee takes it.
    fn lend_part(&self, place: &Place, reference: TokenStream, mutable: bool) -> TokenStream {
        let rt = self.rt;
        if !self.in_struct(place) || self.body.place(place.root).ty.is_lanes() {
            return reference;
        }
        match self.body.type_at(place) {
            Some(Type::Struct(_)) if mutable => quote!(#rt::lent_mut(#reference)),
            Some(t) if mutable && t.is_structs() => quote!(#rt::lent_mut(&mut (#reference)[..])),
            _ if mutable => reference,
            Some(Type::Slice(t) | Type::Array(t, _) | Type::Vec(t)) if t.is_structs() => {
                let row = super::structs::struct_path(&t);
                quote!(#rt::Rows::<#row, __S>::Made(&(#reference)[..]))
            }
            Some(Type::Struct(_)) => quote!(#rt::lent_ref(#rt::Lend::lend(#reference))),
            None => quote!(#rt::Lend::lend(#reference)),
            Some(_) => reference,
        }
    }

    /// A part that was split off, as slots take it: sequences as slices.
    pub(crate) fn slot_part(
        &self,
        lent: &Lent,
        k: usize,
        place: &Place,
        mutable: bool,
    ) -> TokenStream {
        let (rt, part) = (self.rt, lent.get(k));
        match (self.body.type_at(place), mutable) {
            (None, true) => quote!(#rt::LendLanes::lend_lanes_mut(#part)),
            (None, false) => quote!(#rt::LendLanes::lend_lanes(#part)),
            (Some(t), _) if t.element().is_none() => quote!(#part),
            (Some(_), true) => quote!(&mut (#part)[..]),
            (Some(_), false) => quote!(&(#part)[..]),
        }
    }

    /// The range of the root's elements that a path lies in; whether it goes into the one element of
    /// that range; and what follows.
    fn outer_range<'p>(&self, path: &'p [Proj]) -> (TokenStream, bool, &'p [Proj]) {
        let mut start: Option<TokenStream> = None;
        let mut end = TokenStream::new();
        let from = |start: &Option<TokenStream>, i: TokenStream| match start {
            Some(s) => quote!(#s + #i),
            None => i,
        };
        for (k, step) in path.iter().enumerate() {
            match step {
                Proj::Range(lo, hi) => {
                    let (lo, hi) = (self.val(*lo), self.val(*hi));
                    end = from(&start, quote!(#hi));
                    start = Some(from(&start, quote!(#lo)));
                }
                Proj::Index(i) => {
                    let i = self.val(*i);
                    let at = from(&start, quote!(#i));
                    return (quote!(#at..#at + 1), true, &path[k + 1..]);
                }
                Proj::Field(..) | Proj::Flat(_) => {
                    let start = start.unwrap_or_else(|| quote!(0));
                    return (quote!(#start..#end), false, &path[k..]);
                }
            }
        }
        let start = start.unwrap_or_else(|| quote!(0));
        (quote!(#start..#end), false, &[])
    }

    fn steps(&self, tokens: TokenStream, path: &[Proj]) -> TokenStream {
        (path.iter()).fold(tokens, |tokens, step| self.step(tokens, step))
    }

    fn step(&self, tokens: TokenStream, step: &Proj) -> TokenStream {
        match step {
            Proj::Index(i) | Proj::Flat(i) => {
                let i = self.val(*i);
                quote!(#tokens[#i])
            }
            Proj::Range(lo, hi) => {
                let (lo, hi) = (self.val(*lo), self.val(*hi));
                quote!(#tokens[#lo..#hi])
            }
            Proj::Field(name, _) => super::op::field(&tokens, name),
        }
    }
}
