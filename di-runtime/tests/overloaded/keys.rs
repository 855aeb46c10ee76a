//! Handles as the macro writes them.

/// A handle of a function from one list to one number; `run` is the copy, and there is no other.
macro_rules! overloaded {
    ($name:ident: $x:ty => $y:ty, |$arg:ident, $out:ident| $call:expr) => {
        overloaded!(@ Returning $name: $x => $y, |$arg, $out| $call);

        impl di_runtime::__private::Function for $name {
            type Bound =
                di_runtime::__private::Running<di_runtime::__private::Supplied<'static, $name>>;
            fn bind(self) -> Self::Bound {
                di_runtime::__private::Running::new(di_runtime::__private::Supplied::new(()))
            }
        }
    };
    (in place $name:ident: $x:ty => $y:ty, |$arg:ident, $out:ident| $call:expr) => {
        overloaded!(@ InPlace $name: $x => $y, |$arg, $out| $call);
    };
    (@ $kind:ident $name:ident: $x:ty => $y:ty, |$arg:ident, $out:ident| $call:expr) => {
        #[derive(Clone, Copy)]
        struct $name;

        const _: () = {
            use di_runtime::__private as rt;

            impl rt::Signature for $name {
                type Real = f64;
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
                    env: rt::Env<'_, 'c, Self, f64>,
                    x: rt::XRef<'_, Self, f64>,
                    y: rt::Slot<'_, Self, f64>,
                ) where
                    Self: 'c,
                {
                    <Self as rt::Generic>::generic::<f64>(env, x, y);
                }
            }

            impl rt::Generic for $name {
                fn generic<'c, S: rt::Scalar<Real = f64>>(
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
                    $arg: rt::XRef<'_, Self, rt::overloaded::Active<f64>>,
                    $out: rt::Slot<'_, Self, rt::overloaded::Active<f64>>,
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
