//! Handles as the macro writes them.

/// A handle of a function; the expression is the copy, and there is no other. `in place` writes its result, and
/// `single` is of `f32`.
macro_rules! overloaded {
    ($name:ident: $x:ty => $y:ty, |$arg:ident, $out:ident| $call:expr) => {
        overloaded!(@ Returning f64 $name: $x => $y, |$arg, $out| $call);

        impl di_runtime::__private::Function for $name {
            type Bound =
                di_runtime::__private::Running<di_runtime::__private::Supplied<'static, $name>>;
            fn bind(self) -> Self::Bound {
                di_runtime::__private::Running::new(di_runtime::__private::Supplied::new(()))
            }
        }
    };
    (in place $name:ident: $x:ty => $y:ty, |$arg:ident, $out:ident| $call:expr) => {
        overloaded!(@ InPlace f64 $name: $x => $y, |$arg, $out| $call);
    };
    (single $name:ident: $x:ty => $y:ty, |$arg:ident, $out:ident| $call:expr) => {
        overloaded!(@ Returning f32 $name: $x => $y, |$arg, $out| $call);
    };
    (@ $kind:ident $float:ident $name:ident: $x:ty => $y:ty, |$arg:ident, $out:ident| $call:expr) => {
        #[derive(Clone, Copy)]
        struct $name;

        const _: () = {
            use di_runtime::__private as rt;

            impl rt::Signature for $name {
                type Real = $float;
                type X = $x;
                type Y = $y;
                type Kind = rt::$kind;
                type Fixed = ();
                type Caches = ();
                type Ctx<'c> = ();
                const DATA: bool = false;
                fn constants<'c>((): (), _: &mut rt::Snapshot)
                where
                    Self: 'c,
                {
                }
                fn caches<'c>((): ())
                where
                    Self: 'c,
                {
                }
            }

            impl rt::Primal for $name {
                fn primal<'c>(
                    env: rt::Env<'_, 'c, Self, $float>,
                    x: rt::XRef<'_, Self, $float>,
                    y: rt::Slot<'_, Self, $float>,
                ) where
                    Self: 'c,
                {
                    <Self as rt::Generic>::generic::<$float>(env, x, y);
                }
            }

            impl rt::Generic for $name {
                fn generic<'c, S: rt::Scalar<Real = $float>>(
                    env: rt::Env<'_, 'c, Self, S>,
                    x: rt::XRef<'_, Self, S>,
                    y: rt::Slot<'_, Self, S>,
                ) where
                    Self: 'c,
                {
                    rt::overloaded::run::<Self, S>(env.ctx, x, y);
                }
            }

            impl rt::overloaded::Overloaded for $name {
                fn overloaded<'c>(
                    (): (),
                    $arg: rt::XRef<'_, Self, rt::overloaded::Active<$float>>,
                    $out: rt::Slot<'_, Self, rt::overloaded::Active<$float>>,
                ) where
                    Self: 'c,
                {
                    $call
                }
            }

            impl rt::Supply for $name {
                fn shorten<'s, 'l: 's>((): ()) {}
            }
        };
    };
}
