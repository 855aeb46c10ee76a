//! Traits of an annotated module: what an `impl` block leaves to the trait belongs to the block.

/// The traits of a module.
#[derive(Default)]
pub(super) struct Traits<'a>(Vec<&'a syn::ItemTrait>);

impl<'a> Traits<'a> {
    pub(super) fn of(items: &'a [syn::Item]) -> Self {
        let found = items.iter().filter_map(|item| match item {
            syn::Item::Trait(t) => Some(t),
            _ => None,
        });
        Traits(found.collect())
    }

    /// The block with the methods and constants that the trait has and the block has not.
    pub(super) fn completed(&self, block: &syn::ItemImpl) -> syn::ItemImpl {
        let mut block = block.clone();
        let named = block
            .trait_
            .as_ref()
            .and_then(|(_, path, _)| path.get_ident());
        let of_trait = self.0.iter().find(|t| Some(&t.ident) == named);
        let Some(of_trait) = of_trait.filter(|t| t.generics.params.is_empty()) else {
            return block;
        };
        let written: Vec<syn::Ident> = block.items.iter().filter_map(name_of).collect();
        let left = of_trait.items.iter().filter_map(|item| match item {
            syn::TraitItem::Fn(f) => Some(syn::ImplItem::Fn(syn::ImplItemFn {
                attrs: f.attrs.clone(),
                vis: syn::Visibility::Inherited,
                defaultness: None,
                sig: f.sig.clone(),
                block: f.default.clone()?,
            })),
            syn::TraitItem::Const(c) => {
                let (name, ty, (_, value)) = (&c.ident, &c.ty, c.default.as_ref()?);
                Some(syn::parse_quote!(const #name: #ty = #value;))
            }
            _ => None,
        });
        let left = left.filter(|item| name_of(item).is_some_and(|name| !written.contains(&name)));
        block.items.extend(left);
        block
    }

    /// The trait without the marks of its functions.
    pub(super) fn original(item: &syn::ItemTrait) -> syn::ItemTrait {
        let mut item = item.clone();
        for inner in &mut item.items {
            if let syn::TraitItem::Fn(f) = inner {
                f.attrs
                    .retain(|a| !crate::options::is_ours(a) && !crate::options::is_skip(a));
                for input in &mut f.sig.inputs {
                    if let syn::FnArg::Typed(p) = input {
                        p.attrs.retain(|a| !a.path().is_ident("constant"));
                    }
                }
            }
        }
        item
    }
}

fn name_of(item: &syn::ImplItem) -> Option<syn::Ident> {
    match item {
        syn::ImplItem::Fn(f) => Some(f.sig.ident.clone()),
        syn::ImplItem::Const(c) => Some(c.ident.clone()),
        _ => None,
    }
}
