//! Values without floats as numbers, and numbers as such values. The code names all variants and fields with their types,
//! so that rustc verifies what was read of them.
//!
//! ```text
//! match &mode { Mode::Heating {} => 0, Mode::Holding { since: __p0 } => 1 | { let __p0: &u32 = __p0; *__p0 as u32 as u64 } << 1 }
//! match word & 1 { 0 => Mode::Heating {}, _ => Mode::Holding { since: (word >> 1) as u32 } }
//! ```

use super::{chosen, name_of, primitive};
use crate::lower::data::{Data, Layout, Variant, tag_of};
use crate::template::quote;
use proc_macro2::{Ident, Literal, Span, TokenStream};

/// The number of a value of the type with this path, which may be behind references.
pub(in crate::lower) fn encoded(
    value: &TokenStream,
    data: &Data,
    (path, rt): (&TokenStream, &TokenStream),
) -> TokenStream {
    let word = Word {
        number: data.number,
        width: data.layout.width(),
        path,
        rt,
    };
    let mut names = 0;
    word.encoded(&quote!(&#value), &data.layout, &mut names)
}

/// The value that a number stands for, which has a name.
pub(in crate::lower) fn decoded(
    word: &TokenStream,
    data: &Data,
    (path, rt): (&TokenStream, &TokenStream),
) -> TokenStream {
    let of = Word {
        number: data.number,
        width: data.layout.width(),
        path,
        rt,
    };
    of.decoded(word, &data.layout, 0)
}

struct Word<'a> {
    number: &'static str,
    /// How many of its bits are used.
    width: u32,
    /// Of the whole type.
    path: &'a TokenStream,
    rt: &'a TokenStream,
}

impl Word<'_> {
    fn ty(&self) -> TokenStream {
        own(self.number)
    }

    fn literal(&self, n: usize) -> TokenStream {
        let text = format!("{n}{}", self.number);
        text.parse().expect("a number")
    }

    fn variant(&self, path: Option<&TokenStream>, variant: &Variant) -> TokenStream {
        let path = path.unwrap_or(self.path);
        match &variant.name {
            Some(name) => super::variant(path, name),
            None => path.clone(),
        }
    }

    /// `value` is behind references, of which rustc takes those off that are too many, but not within the arms of a
    /// `match`: its type is wanted of a variable. `names`: how many parts have one.
    fn encoded(&self, value: &TokenStream, layout: &Layout, names: &mut usize) -> TokenStream {
        match layout {
            Layout::Scalar(name) => {
                let (ty, number) = (own(name), self.ty());
                // of a signed number the bits that it has
                let bits = match &**name {
                    "bool" => quote!(),
                    "char" => quote!(as ::core::primitive::u32),
                    name => {
                        let unsigned =
                            own(&name.replacen('i', "u", usize::from(name.starts_with('i'))));
                        quote!(as #unsigned)
                    }
                };
                quote!({ let __part = #value; let __part: &#ty = __part; *__part #bits as #number })
            }
            Layout::Index(name, bits) => {
                let (rt, ty, number) = (self.rt, own(name), self.ty());
                quote!({ let __part = #value; let __part: &#ty = __part; #rt::narrow(*__part as _, #bits) as #number })
            }
            Layout::Text(is_owned) => {
                let (rt, number) = (self.rt, self.ty());
                let (text, of) = match is_owned {
                    true => (quote!(owned), quote!(::std::string::String)),
                    false => (quote!(fixed), own("str")),
                };
                quote!({ let __part = #value; let __part: &#of = __part; #rt::texts::#text(__part) as #number })
            }
            Layout::Tuple(parts) => {
                let (names, word) = self.joined(parts.iter(), 0, names);
                quote!(match #value { (#(#names,)*) => #word })
            }
            Layout::Array(parts) => {
                let (names, word) = self.joined(parts.iter(), 0, names);
                quote!(match #value { [#(#names),*] => #word })
            }
            Layout::Option(some) => {
                let (names, word) = self.joined(std::iter::once(&**some), 1, names);
                let (zero, one) = (self.literal(0), self.literal(1));
                quote!(match #value {
                    ::core::option::Option::Some(#(#names)*) => #one | #word,
                    ::core::option::Option::None => #zero,
                })
            }
            Layout::Variants(path, variants) => {
                let tag = tag_of(variants);
                let path = path.as_ref().map(|p| &p.0);
                let arms = variants.iter().enumerate().map(|(k, variant)| {
                    let path = self.variant(path, variant);
                    let parts = variant.fields.iter().map(|(_, part)| part);
                    let (names, word) = self.joined(parts, tag, names);
                    let k = self.literal(k);
                    if variant.fields.is_empty() && variant.name.is_some() {
                        return (path, k);
                    }
                    let members = variant.fields.iter().map(|(member, _)| member);
                    let word = match tag {
                        0 => word,
                        _ => quote!(#k | #word),
                    };
                    (quote!(#path { #(#members: #names),* }), word)
                });
                chosen(value.clone(), arms.collect::<Vec<_>>().into_iter())
            }
        }
    }

    /// Names of parts, and what they are together from a bit on.
    fn joined<'l>(
        &self,
        parts: impl Iterator<Item = &'l Layout>,
        mut bit: u32,
        count: &mut usize,
    ) -> (Vec<Ident>, TokenStream) {
        let (mut names, mut words) = (Vec::new(), Vec::new());
        for part in parts {
            let name = name_of(&format!("__p{count}"));
            *count += 1;
            let word = self.encoded(&quote!(#name), part, count);
            names.push(name);
            let by = Literal::u32_unsuffixed(bit);
            words.push(match part.width() {
                // nothing is behind the last bit
                0 => quote!((#word)),
                _ if bit == 0 => quote!((#word)),
                _ => quote!((#word << #by)),
            });
            bit += part.width();
        }
        match words.is_empty() {
            true => (names, self.literal(0)),
            false => (names, quote!(#(#words)|*)),
        }
    }

    fn decoded(&self, word: &TokenStream, layout: &Layout, bit: u32) -> TokenStream {
        let from = match bit {
            0 => word.clone(),
            _ => {
                let by = Literal::u32_unsuffixed(bit);
                quote!((#word >> #by))
            }
        };
        match layout {
            Layout::Scalar(name) => match &**name {
                "bool" => {
                    let (zero, one) = (self.literal(0), self.literal(1));
                    quote!((#from & #one != #zero))
                }
                "char" => quote!(match ::core::char::from_u32(#from as ::core::primitive::u32) {
                    ::core::option::Option::Some(__char) => __char,
                    ::core::option::Option::None => ::core::unreachable!(),
                }),
                name if name == self.number => from,
                name => {
                    let ty = own(name);
                    quote!((#from as #ty))
                }
            },
            Layout::Index(name, bits) => {
                let (rt, ty) = (self.rt, own(name));
                quote!((#rt::widen(#from as ::core::primitive::u64, #bits) as #ty))
            }
            Layout::Text(is_owned) => {
                let rt = self.rt;
                let of = match is_owned {
                    true => quote!(owned_at),
                    false => quote!(fixed_at),
                };
                quote!(#rt::texts::#of(#from as ::core::primitive::u32))
            }
            Layout::Tuple(parts) => {
                let parts = self.parted(word, parts.iter(), bit);
                quote!((#(#parts,)*))
            }
            Layout::Array(parts) => {
                let parts = self.parted(word, parts.iter(), bit);
                quote!([#(#parts),*])
            }
            Layout::Option(some) => {
                let (zero, one) = (self.literal(0), self.literal(1));
                let some = self.decoded(word, some, bit + 1);
                super::sum(&[quote!(#from & #one != #zero), some])
            }
            Layout::Variants(path, variants) => {
                let tag = tag_of(variants);
                let path = path.as_ref().map(|p| &p.0);
                let mut made = variants.iter().map(|variant| {
                    let path = self.variant(path, variant);
                    let parts = variant.fields.iter().map(|(_, part)| part);
                    let parts = self.parted(word, parts, bit + tag);
                    let members = variant.fields.iter().map(|(member, _)| member);
                    match variant.fields.is_empty() && variant.name.is_some() {
                        true => path,
                        false => quote!(#path { #(#members: #parts),* }),
                    }
                });
                if variants.len() < 2 {
                    return made.next().unwrap_or_default();
                }
                let tag = match self.width == tag {
                    true => from,
                    false => {
                        let mask = self.literal((1 << tag) - 1);
                        quote!(#from & #mask)
                    }
                };
                let last = variants.len() - 1;
                let arms = made.enumerate().map(|(k, value)| match k == last {
                    true => (quote!(_), value),
                    false => (self.literal(k), value),
                });
                chosen(tag, arms)
            }
        }
    }

    fn parted<'l>(
        &self,
        word: &TokenStream,
        parts: impl Iterator<Item = &'l Layout>,
        mut bit: u32,
    ) -> Vec<TokenStream> {
        let parts = parts.map(|part| {
            let value = self.decoded(word, part, bit);
            bit += part.width();
            value
        });
        parts.collect()
    }
}

/// A number type of std.
fn own(name: &str) -> TokenStream {
    primitive(name, Span::call_site())
}
