//! The table of messages: each has a code, a text and a help line, and is used for one mistake.
//!
//! Codes: 00xx the attribute, 01xx the signature, 02xx syntax, 03xx types and activity, 04xx rules,
//! 05xx the derive, 06xx arrays of `ndarray`.
//! `{}` stands for what the user wrote. Each code has a case in `ui-tests/fail`.

/// A message of the compiler.
#[derive(Debug, PartialEq, Eq)]
pub struct Message {
    pub code: &'static str,
    /// What is wrong: lower case, no full stop.
    pub text: &'static str,
    /// What to do instead.
    pub help: &'static str,
}

impl Message {
    /// Whether rustc may have its own message on the same mistake: such a message is for functions in which
    /// it finds nothing wrong.
    pub(crate) fn yields(&self) -> bool {
        !["DI00", "DI05"]
            .iter()
            .any(|group| self.code.starts_with(group))
    }

    /// Whether it is about Rust that the compiler does not understand, rather than about attributes and signatures.
    pub(crate) fn is_of_language(&self) -> bool {
        ["DI02", "DI03", "DI04", "DI06"]
            .iter()
            .any(|group| self.code.starts_with(group))
    }

    /// What the user reads: code, text and help.
    pub fn filled(&self, subject: &str) -> String {
        self.with_help(subject, None)
    }

    /// The same, with this help instead of its own if there is one.
    pub(crate) fn with_help(&self, subject: &str, help: Option<&str>) -> String {
        let fill = |s: &str| s.replace("{}", subject);
        let (text, help) = (fill(self.text), fill(help.unwrap_or(self.help)));
        format!("[{}] {text}\n  = help: {help}", self.code)
    }
}

macro_rules! messages {
    ($($name:ident $code:literal $text:literal $help:literal;)*) => {
        $(pub(crate) const $name: Message = Message {
            code: $code,
            text: $text,
            help: $help,
        };)*

        /// All messages, by code.
        pub const ALL: &[Message] = &[$($name),*];
    };
}

messages! {
    // ---- 00 the attribute ----
    ATTRIBUTE_ARGUMENT "DI0001"
        "the argument of the attribute is not valid: {}"
        "write `#[differentiable]`, `#[differentiable(handle = Name)]`, `#[differentiable(crate = path)]` or `#[differentiable(strong_zeros)]`";
    NOT_A_FUNCTION "DI0002"
        "`#[differentiable]` goes on a function"
        "put it on a `fn` with a body; for a struct write `#[derive(Differentiable)]`";
    MARK_WITH_ARGUMENTS "DI0003"
        "a mark on a parameter takes no arguments"
        "write `#[constant]`, `#[cache]` or `#[inout]`";
    TWO_MARKS "DI0004"
        "two marks on one parameter"
        "a parameter is one of `#[constant]`, `#[cache]`, `#[inout]`, or unmarked";
    CFG_PARAMETER "DI0005"
        "`cfg` on a parameter reaches the macro before it is evaluated"
        "put the `cfg` on the function, and write it twice";
    CLOSURE_MACRO "DI0006"
        "`differentiable_closure!` takes a list of captures and a closure, both with types"
        "write `differentiable_closure!([data: &[f64] = &data, n: usize] |x: &[f64]| ..)`";
    AD_ARGUMENT "DI0007"
        "this mark on a statement is not valid: {}"
        "write `#[ad(checkpoint)]`, `#[ad(checkpoint = 10)]`, `#[ad(revolve = 8)]` or `#[ad(recompute)]`";
    AD_PLACE "DI0008"
        "`#[ad({})]` has no meaning here"
        "`checkpoint` and `revolve` go on a `for` loop; `recompute` goes on any statement except `let`";
    GENERIC_SCALAR "DI0009"
        "`#[generic]` goes on a function with one type parameter, the scalar, whose float type is known"
        "write `fn f<S: Scalar<Real = f64>>(x: &[S]) -> S`; a function on `f64` takes `#[differentiable]`";
    GENERIC_PARAMETER "DI0010"
        "operators cannot handle this type in a generic function"
        "`x` is `S`, `&[S]`, `&[S; N]` or `ArrayView2<S>`; the result is one of these by value, `Vec<S>`, or written to one `&mut`; mark other parameters `#[constant]`, by reference unless they are `Copy`, or `#[cache]`";
    OVERLOADED_ITEM "DI0011"
        "`#[overloaded]` goes on a function or a module"
        "put the item into a module, `#[overloaded] mod model { .. }`, together with the functions that use it";
    OVERLOADED_PARAMETER "DI0012"
        "operators cannot handle this signature of an overloaded function"
        "take one to six of `f64`, `&[f64]`, `[f64; N]`, `Vec<f64>`, `&[Vec<f64>]` or structs of these, and return numbers, arrays, vectors, structs of floats or tuples of these; mark other parameters `#[constant]`, and take constants that are not `Copy` by reference; functions that this one calls may take anything";
    OVERLOADED_RULE "DI0013"
        "derivatives that are given by hand have no meaning in an overloaded module, which runs the function"
        "leave the attribute out if the function is plain Rust; otherwise annotate the module with `#[differentiable]`, which uses the rule";
    OVERLOADED_STATIC "DI0014"
        "a static that changes would be there twice: in an overloaded module, and in its copy"
        "pass what changes as an argument, or move the static out of the module, behind functions without floats";
    // ---- 01 the signature ----
    METHOD "DI0101"
        "a method cannot be annotated on its own"
        "put `#[differentiable]` on its impl block; `#[ad(skip)]` leaves a method out";
    ASYNC_FN "DI0102"
        "an `async` function cannot be differentiated"
        "move the numerical part into a plain function";
    UNSAFE_FN "DI0103"
        "an `unsafe` function cannot be differentiated"
        "write a safe function, and give the unsafe part a rule of its own (`#[custom_rule]`)";
    EXTERN_FN "DI0104"
        "a function with a foreign ABI cannot be differentiated"
        "write a plain function, and call it from the `extern` one";
    GENERICS "DI0105"
        "values of a generic type cannot be differentiated, and methods and rules cannot be generic"
        "mark the parameter `#[constant]`, or the function `#[active_scalar(T)]` if `T` is its float";
    PARAMETER_TUPLE "DI0107"
        "`{}` is not supported as a tuple parameter or inside one"
        "make it a separate parameter, or pass the components one by one";
    PARAMETER_FUNCTION "DI0108"
        "functions as parameters are not supported where the function calls itself"
        "hand `f: &impl Fn(f64) -> f64` on as it is, and write the types of what its closure takes from around it, `let k: f64 = ..`; or write a loop; or take what the function is of, `of: &Model`, and call its method or an annotated function by its path";
    PARAMETER_POINTER "DI0109"
        "raw pointers cannot be differentiated"
        "take a slice";
    PARAMETER_TYPE "DI0110"
        "a parameter of type `{}` is not supported"
        "take `f64`, `&[f64]`, `&mut [f64]`, an array of them, `&P` with a derived struct `P`, or mark it `#[constant]`";
    PARAMETER_OPTION "DI0111"
        "`{}` as a parameter is not supported"
        "pass the value and a `bool`, put both functions into an annotated module, or mark the parameter `#[constant]`";
    GENERIC_LIFETIME "DI0112"
        "a trait that depends on a lifetime of the function is not supported"
        "bound the parameter for all lifetimes, `for<'a> M: Model<'a>`, or take the trait's implementor by `&M`";
    ACTIVE_SCALAR "DI0113"
        "`active_scalar` must name a type parameter of the function, and a float type"
        "write `#[active_scalar(T)]` or `#[active_scalar(T = f32)]` below `#[differentiable]`, where `fn f<T: ..>`";
    PARAMETER_VEC_REF "DI0114"
        "a `&mut {}` is not supported as a parameter where its length or the order of its rows changes"
        "take it by value, `mut v: Vec<f64>`, and return it; or let a function or a method without recursion change it";
    RETURN_REFERENCE "DI0116"
        "a differentiable function cannot return a reference"
        "return the value, or write it to a `&mut` parameter";
    RETURN_TYPE "DI0117"
        "this result is not supported"
        "return `f64`, an array, `Vec<f64>`, a derived struct, a list or a tuple of these, or nothing, or an `Option` or `Result` of these; in the place of a map, or of tuples with texts, a list of structs; in the place of a `Box<dyn Trait>` an enum with a variant for each type, and in the place of a tuple of closures one function for each; mark a method of a constant `#[ad(skip)]`, so that it stays as it is";
    CONSTANT_MUT "DI0118"
        "a `&mut` parameter cannot be `#[constant]`"
        "mark scratch space `#[cache]`; leave an output unmarked";
    CACHE_NOT_MUT "DI0119"
        "`#[cache]` goes on a `&mut` parameter of floats"
        "write `#[cache] buf: &mut [f64]`";
    INOUT_NOT_MUT "DI0120"
        "`#[inout]` goes on a `&mut` parameter of floats"
        "write `#[inout] state: &mut [f64]`";
    MUT_WITHOUT_FLOATS "DI0121"
        "a method, or a function that calls itself, cannot have a `&mut` parameter without floats"
        "return what changes; or walk with a stack, `while let Some(i) = stack.pop() { .. }`; functions that do not call themselves may have one";
    IMPL_BLOCK "DI0123"
        "`#[differentiable]` goes on the impl block of a named type with no parameters but lifetimes and lengths"
        "write the block for the types that it is used with; a length may be generic: `impl<const N: usize> P<N>`";
    CONSTANT_BY_VALUE "DI0124"
        "a constant of type `{}` cannot be passed by value: each sweep would need a copy"
        "borrow it: `&[f64]` for `Vec<f64>`, `&str` for `String`, `&T`";
    ALIAS_OF_FLOATS "DI0125"
        "`{}` is an alias of a type with floats, and its definition is not visible here"
        "put `#[differentiable]` on the alias or on the module that contains both, or write the type itself";
    TWO_METHODS "DI0126"
        "the type has two methods `{}`, and code is found by the type and the name"
        "give one of them another name, or keep one out with `#[ad(skip)]`";
    // ---- 02 syntax ----
    MATCH "DI0201"
        "a struct is matched by its fields, not by a constant"
        "write a guard: `p if p.a == ORIGIN.a => ..`";
    MATCH_VALUE "DI0202"
        "a pattern cannot look into a value of `{}`: it has floats, more than 128 bits, or fields that are not seen here"
        "put `#[derive(Differentiable)]` on an enum with floats, and `#[derive(Clone)]` on the structs and enums in it; or tell what happened by an enum of integers, and put numbers beside it: `Result<f64, (Failure, f64)>` with `Err((Failure::Steps, best)) => ..`; or match what it is made of, in variables";
    CLOSURE "DI0205"
        "a closure is not supported here"
        "bind it with `let g = |..| ..;` and call `g(..)`; it may also be returned, kept in an array, and passed to an annotated function or a method of an iterator";
    RETURN_IN_CLOSURE "DI0206"
        "`return` inside a closure that returns an `Option` or an iterator is not supported"
        "end the closure with its value";
    NOT_A_CLOSURE "DI0207"
        "a closure is expected here"
        "write `|v| ..` in place, or the name of a closure or an annotated function";
    TRY "DI0208"
        "`?` in this closure is not supported"
        "write a `match` in a loop, or a separate function";
    UNSAFE_BLOCK "DI0209"
        "`unsafe` code cannot be differentiated"
        "write it safely, or wrap it in a function with a rule of its own (`#[custom_rule]`)";
    ASYNC_BLOCK "DI0210"
        "`async` code cannot be differentiated"
        "move the numerical part into a plain function";
    MACRO "DI0211"
        "the macro `{}!` cannot be expanded here"
        "declare it by `macro_rules!` in the function, in the annotated module, or above an annotated function in its file; or write what it expands to, or mark it as constant: `passive({}!(..))`";
    MACRO_WRITE "DI0213"
        "`{}!` is not supported if it writes to a variable of the function, or if its result is used"
        "write to a constant parameter, `#[constant] log: &RefCell<String>`, or to a stream, and discard or unwrap the result";
    CONSTRUCTOR "DI0216"
        "`{}` makes a value of an enum that is not derived, from what is differentiated"
        "put `#[derive(Differentiable)]` on the enum, or keep the components in variables";
    OPTION "DI0217"
        "this function of `Option` or `Result` is not supported"
        "use `match` or `if let`";
    OPTION_METHOD "DI0218"
        "the method `{}` of `Option` or `Result` is not supported here"
        "use `match` or `if let`, on a value bound with its type: `let o: Option<f64> = ..`";
    RANGE_VALUE "DI0219"
        "a range is only supported after `in`, in an index, and at the start of an iterator chain"
        "write it in place";
    LOCAL_USE "DI0223"
        "this `use` cannot be resolved inside a differentiable function"
        "move it out of the function, or write plain paths";
    LOCAL_ITEM "DI0224"
        "an item inside a differentiable function is not supported"
        "move it out of the function";
    CFG_STATEMENT "DI0225"
        "`cfg` on a statement reaches the macro before it is evaluated"
        "put the `cfg` on the function, and write it twice";
    STATEMENT_ATTRIBUTE "DI0226"
        "this attribute is not supported inside a differentiable function"
        "remove it";
    PATTERN "DI0227"
        "this pattern is not supported"
        "bind a name, or a tuple of names";
    PATTERN_SLICE "DI0229"
        "this pattern needs the type of the value, which cannot be inferred"
        "bind it with its type first: `let v: [f64; 3] = ..`";
    PATTERN_REST "DI0231"
        "the number of components that `..` stands for cannot be inferred"
        "write `_` for each of them";
    DESTRUCTURING_ASSIGNMENT "DI0232"
        "this pattern on the left of an assignment is not supported"
        "assign the parts one by one, or bind them with `let`";
    ASSIGNMENT_TARGET "DI0233"
        "this cannot be assigned to"
        "assign to a variable, or to an element of an array or slice";
    GLOBAL_WRITE "DI0235"
        "writes to global state cannot be differentiated"
        "return the value, or write it to a `&mut` parameter";
    CALL_OF_VALUE "DI0236"
        "only functions can be called, by their path"
        "call an annotated function";
    CALL_OF_LOCAL "DI0237"
        "`{}` is a variable: calls of function values cannot be differentiated"
        "call an annotated function by its path";
    TURBOFISH "DI0238"
        "generic arguments of a method, or of a part of a path, are not supported, but for lengths"
        "leave them out where rustc infers them, or write a function, which may be generic over more";
    QUALIFIED_PATH "DI0239"
        "a path of the form `<T as Trait>::name` is not supported"
        "write a plain path";
    CONTAINER "DI0240"
        "`{}` cannot hold differentiated values"
        "use numbers, arrays, `Vec` and derived structs, and pass them by `&mut`; mark a constant with `passive(..)`";
    MEM "DI0241"
        "`std::mem::{}` is not supported here"
        "it works on variables that are numbers, arrays, vectors or references; the default of a struct is not known here";
    VEC_NEW "DI0242"
        "`Vec::{}` is not supported"
        "write `vec![..]`, `Vec::new()` and `push`, or `x.to_vec()`";
    VEC_RESIZE "DI0243"
        "the method `{}` of vectors is not supported here"
        "bind the vector to a variable first, or push the elements to keep to a new one";
    REBOUND_REFERENCE "DI0245"
        "this reference cannot be reassigned"
        "assign variables and components of tuples to it, by name or through `let r = &mut name;`: the target must not depend on a branch";
    ITERATOR_METHOD "DI0246"
        "the method `{}` of iterators is not supported"
        "loop with `for`, over a chain or an index";
    ITERATOR_VALUE "DI0247"
        "this iterator can only be used where it is made"
        "write it after `in`, or in a chain that ends with a value; or `collect` it into a vector";
    COLLECT "DI0248"
        "`collect` is only supported into a vector"
        "write `collect::<Vec<f64>>()`";
    RAW_POINTER "DI0250"
        "raw pointers cannot be differentiated"
        "use references and indices";
    CONST_BLOCK "DI0251"
        "a `const` block is not supported"
        "write a `const` item";
    PASSIVE_EFFECT "DI0252"
        "constant code must not have side effects"
        "assign, break and return outside of it; what changes a variable that is read beside it comes first, `let k = next(&mut n);`, and a function without the attribute that changes what it borrows stands in the same crate";
    UNKNOWN_EXPRESSION "DI0253"
        "this expression is not supported"
        "write it with arithmetic, indices, `if` and loops";
    HYGIENE "DI0254"
        "`{}` names two variables here, one of a macro and one of its caller, which the compiler cannot distinguish"
        "rename one of them";
    PATTERN_REST_VALUE "DI0255"
        "the part of an array that `..` stands for cannot be bound by value"
        "match on a reference: `let [first, rest @ ..] = &x`";
    TRY_FROM "DI0256"
        "`?` that converts between error types is not supported"
        "use one error type in both functions, or write `.map_err(..)?`";
    ITERATOR_ZIP "DI0271"
        "`zip` of two chains of which neither has a known length"
        "`collect` one of them into a vector first";
    ITERATOR_EFFECT "DI0272"
        "`{}` after a closure that writes: it is not specified how often the closure is called"
        "call what writes behind it: `a.iter().zip(b).map(|(a, b)| ..)`, or in the body of the loop";
    ITERATOR_SOURCE "DI0273"
        "cannot differentiate through the opaque iterator `{}`"
        "use a range, a slice or `repeat`, or a `while` loop";
    FLATTEN "DI0274"
        "`flatten` is only supported on arrays, slices and vectors"
        "use `filter_map` for optional values";
    FLAT_MAP_CLOSURE "DI0275"
        "`flat_map` needs a closure that is written in place"
        "write `|v| ..`";
    CLOSURE_OPTION "DI0276"
        "the value that this closure returns cannot be inferred"
        "write it in place, and end it with `Some(..)`, `None`, or an `if`/`else` of these";
    CLOSURE_VALUE "DI0277"
        "the closure `{}` is used as a value"
        "call it, or pass it to a method of an iterator; to pass it to another function, write an annotated function";
    PASSIVE_CLOSURE "DI0278"
        "`{}` is a closure and cannot be used inside constant code"
        "bind its result to a variable first";
    ORDERING "DI0279"
        "this comparison is not supported"
        "compare numbers with `total_cmp`, `cmp`, or `partial_cmp` followed by `unwrap` or `unwrap_or(Ordering::Equal)`";
    PICK_SEQUENCE "DI0280"
        "an array or slice cannot be taken from a chain of unknown length"
        "`collect` the chain first, or look for the index";
    CLOSURE_MOVE "DI0281"
        "this `move` closure calls or makes another one, and so has a copy of what may change"
        "call it outside, remove the outer `move`, or let it take along variables that are not `mut`";
    SORT "DI0282"
        "`{}` with this comparison is not supported: the derivative follows the elements to their places"
        "use a stable sort, `x.sort_by(|a, b| ..)`, if elements are not compared as a whole, since an unstable sort leaves the order of equal ones open; the comparison must not write to anything";
    CHOSEN_REFERENCE "DI0283"
        "which variable this reference points to depends on a branch, and cannot be followed to its use"
        "bind it with `let` where it is made, and use the name";
    BUNDLE_RECURSION "DI0284"
        "the method `{}` calls itself, but its body stands in the place of its calls"
        "write it as a loop, or as a function of the fields";
    // ---- 03 types and activity ----
    UNKNOWN_TYPE "DI0301"
        "the type of this cannot be inferred"
        "write it: `let x: f64 = ..`";
    UNKNOWN_CALL_RESULT "DI0302"
        "the type that this call returns cannot be inferred, since the function is not visible here"
        "bind it with its type: `let t: f64 = ..`";
    UNKNOWN_PASSIVE "DI0303"
        "the type of this constant code cannot be inferred"
        "bind it with its type: `let t: f64 = ..`, or `let m: Mode = ..` if it is an enum";
    UNKNOWN_SEQUENCE "DI0304"
        "this is indexed or iterated, but its type cannot be inferred"
        "bind it with its type first: `let v: Vec<f64> = ..` or `let v: [f64; 3] = ..`";
    UNKNOWN_ARGUMENT "DI0305"
        "the type of this argument cannot be inferred"
        "bind it with its type first: `let t: f64 = ..`";
    UNKNOWN_METHOD "DI0306"
        "the method `{}` is not known to be differentiable"
        "use a method of `f64` that has a derivative, or an annotated function; for a constant write `passive(..)`";
    UNKNOWN_INT_METHOD "DI0307"
        "the method `{}` of integers is not known"
        "write it with operators, or as `passive(..)`";
    UNKNOWN_SEQUENCE_METHOD "DI0308"
        "the method `{}` of arrays, slices and vectors is not supported"
        "write a loop";
    REFUSED_METHOD "DI0309"
        "there is no derivative of {}"
        "use another function, or write one with a rule of its own (`#[custom_rule]`)";
    MIXED_FLOATS "DI0312"
        "`{}` in a function on the other float type"
        "use one float type, `f64` or `f32`, throughout";
    LOCAL_TYPE "DI0313"
        "the type `{}` is not supported here"
        "use scalars, arrays, `Vec`, slices and tuples of them; pass data as a `#[constant]` parameter";
    LITERAL "DI0314"
        "this literal is too large"
        "write a smaller one";
    CAST "DI0315"
        "this conversion is not supported"
        "convert between floats, integers and bools with `as`";
    OPERATOR_ON_STRUCT "DI0316"
        "{} cannot be differentiated"
        "work on its fields; for an alias of a float or an array write the type itself";
    OPERATOR_ON_ARRAY "DI0317"
        "operators on arrays, slices and vectors are not supported"
        "write a loop over the elements";
    COMPARE_SEQUENCES "DI0318"
        "only numbers can be compared"
        "compare the elements";
    SCALAR_REFERENCE "DI0319"
        "an integer or a bool cannot be an argument behind `&mut`"
        "they have no derivative: return the new value instead";
    IF_SEQUENCE "DI0320"
        "an `if` cannot have a value of this type"
        "use the value inside the branches";
    OPERATOR_CALL "DI0321"
        "`{}` takes a handle: an operator cannot be called in a differentiable function"
        "move the call into a function with a rule of its own (`#[custom_rule]`), or call `DifferentiateWith` in a `#[generic]` function";
    FOLD_SEQUENCE "DI0322"
        "the accumulator of this `fold` or `scan` is not supported"
        "write a loop";
    LIST_OF_TUPLES "DI0323"
        "a list of these tuples cannot be stored"
        "in a list they hold up to six of floats, integers, bools, arrays of floats, structs and tuples, and in a `Vec` vectors of what is no integer: use a list for each component";
    TUPLE_ARGUMENT "DI0324"
        "a tuple is passed to a function whose signature is not known here"
        "put `#[differentiable]` on the function, on the `impl` block, or on the module around both, or pass an array";
    NESTED_VECTOR "DI0325"
        "this use of vectors in a vector or an array is not supported"
        "index, borrow, push, pop, swap or assign the rows; or use a vector of arrays, `Vec<[f64; 3]>`";
    PASSIVE_TUPLE "DI0326"
        "`{}` cannot be used inside constant code"
        "bind the components that it needs to variables first";
    PASSIVE_PART "DI0327"
        "`{}` is a part of something else and cannot be used inside constant code"
        "use the whole, or copy it first";
    PASSIVE_ACTIVE "DI0329"
        "a derivative would be lost: constant code reads `{}`, which depends on the inputs"
        "put `#[differentiable]` on the function that is called, or on the `impl` block of the method; or mark the call as constant: `passive(..)`; for a method of a `#[constant]`, remove that mark and write `f::AD.fix_p(&p)`, or, if its type is a type parameter, call this function from one for each type; for a number in a field that is `#[constant]`, remove the mark";
    PASSIVE_SEQUENCE "DI0330"
        "constant code reads `{}` as a whole, which has another type in generated code"
        "read single numbers, and lists of numbers, into variables, and use these: `let a = x[0];`, `let z = p.z;`, `let v = &p.list;`; or put `#[differentiable]` on the `impl` block of the method that is called";
    OPEN_STRUCT "DI0331"
        "`{}` is generic over types, and a value that depends on the inputs is put into it: the derivative would be lost"
        "write a struct for the types that it is used with, `struct Sum(Rbf, Linear)`, with the `impl` blocks for it; lengths may be generic: `struct P<const N: usize>`";
    TRAIT_OBJECT "DI0332"
        "the method `{}` of a trait object is chosen when the program runs, and its derivative is not known here"
        "put the trait and all of its `impl` blocks into one `#[differentiable] mod`, or take a type parameter: `fn f<F: Force>(x: f64, force: &F) -> f64`";
    CONSTANT_STATE "DI0333"
        "a value that changes here and is not differentiated has to be made of integers, in at most 128 bits, but {}"
        "hold its parts in variables: `let mut seed = 7u64;`; or make the numbers outside, and take them as `#[constant] draws: &[f64]`; in the place of a field that is a map or a deque of numbers write a `Vec`, and `v.remove(0)` for `pop_front`; or differentiate it: derive a struct with floats, or put it into the annotated module, and do not mark the field `#[constant]`";
    PART_OF_STATE "DI0334"
        "`{}` is a part of a value that is no float, and cannot be written to by itself"
        "give the whole another value: `mode = match mode { Mode::On { since } => Mode::On { since: since + 1 }, m => m };`";
    COLLECTION_CHANGES "DI0335"
        "a value of `{}` that changes cannot be used here: only numbers can be read out of it"
        "read them into variables, `let n = counts[&k];`, or list them, `let order: Vec<usize> = seen.into_iter().collect();`; a collection that does not change after it was filled may be used anywhere";
    SHOWN "DI0336"
        "a value of `{}` cannot be written into a message here"
        "bind it to a variable first; or write the parts that tell something";
    ENDLESS_TYPES "DI0337"
        "the generic struct `{}` is used with types that have no end, or more than 64 are used here"
        "write a method that puts the struct into itself, `fn wrap(self) -> K<K<T>>`, for the types that it is used with: `impl K<f64> { fn wrap(self) -> K<K<f64>> { .. } }`";
    HIDDEN_METHOD "DI0338"
        "`{}` is a method of floats too, and that of the trait may do something else"
        "give the method of the trait another name, or let it call that of floats: `fn abs(self) -> f64 { self.abs() }`";
    ROW_LENGTH "DI0340"
        "the length of a vector cannot change through this reference"
        "change it in place, such as `rows[i].push(..)`, or return the vector";
    // ---- 04 calls ----
    MISFIT "DI0341"
        "{} do not match, as far as the compiler can infer them"
        "write types instead of aliases, and bind parts to variables with types; if rustc accepts the function without the attribute, please report it";
    RESULT_TAKEN "DI0403"
        "the result of {} was inferred to have another type"
        "bind it to a variable with its type: `let w: [f64; 3] = weights(x);`, `let r: Result<f64, u8> = root(x);`";
    STRUCT_PART "DI0404"
        "a part of `{}` is borrowed here, and its type cannot be inferred"
        "bind it with its type: `let q: Q = p.q;` or `let w: [f64; 3] = p.w;`, and borrow that";
    FIELD_COPY "DI0405"
        "a copy of a field of `{}` needs its type"
        "write it: `let mut c: [f64; 3] = p.c;`";
    CONSTANT_ACTIVE "DI0406"
        "a differentiated value is passed to a constant parameter: {}"
        "remove `#[constant]`: operators hold a parameter fixed by `f::AD.fix_k(&k)`; pass `passive(..)` of a number whose derivative does not matter, and a struct of constants where it is made, `g(x, Speed(k))`";
    RUN_TIME_SIZE "DI0407"
        "a value of this struct is made, changed or copied, and it is not known here that its fields have sizes that only the running program knows"
        "write the type of the struct or the list: `let s: S = made(x);`, `let v: Vec<S> = vec![made(x)];`; use a `Vec` in the place of an array of arrays of such structs";
    CONSTANT_LENT "DI0408"
        "a constant whose type is not known here is passed to a differentiated parameter: {}"
        "copy it into a variable with its type first, `let w: [f64; 3] = W;`, or mark the parameter `#[constant]` if it is data";
    CONSTANT_STRUCT "DI0409"
        "`{}` is constant here, and would become part of a differentiated value"
        "remove `#[constant]` from the parameter, and hold it constant where the function is used: `f::AD.fix_p(&p)`, and each part of a tuple by its own, `f::AD.fix_p_0(&p0).fix_p_1(&p1)`";
    CHECKPOINT_EXIT "DI0410"
        "a statement that is not recorded cannot be left early"
        "do not use `break`, `return` or labels of outer loops in a statement marked `#[ad(..)]`, or remove the mark";
    CHECKPOINT_STATE "DI0411"
        "`{}` changes in a statement that is not recorded, and is not a float, or an array or vector of floats of constant length"
        "keep the fields of a struct in separate variables, compute integers from the loop variable, or remove the mark";
    CHECKPOINT_ALIAS "DI0412"
        "`{}` is used under two names in a statement that is not recorded"
        "use one of them inside, or remove the mark";
    CHECKPOINT_EFFECT "DI0413"
        "a statement that is not recorded runs again, and would print again, or change a collection again"
        "print, and change collections, outside the statement marked `#[ad(..)]`, or remove the mark";
    CONSTANT_FIELD "DI0414"
        "the field `{}` is marked `#[constant]`, and its list of floats can neither be created here nor changed"
        "take it from another struct, `P { a, ..p }`, keep the list beside the struct, or remove the mark";
    CONSTANT_ROWS "DI0415"
        "the field `{}` is marked `#[constant]`, and lists of lists in such fields cannot be read"
        "take it as a parameter of its own, `#[constant] rows: &[Vec<f64>]`";
    CONSTANT_ROWS_MADE "DI0416"
        "a list of lists that is made here is passed to a constant parameter of `{}`"
        "make it by a function that is not annotated, and pass what that returns: `let rows = neighbours(n);`; or take it as a parameter, `rows: &[Vec<usize>]`; numbers that are differentiated go to a parameter that is not `#[constant]`";
    UNKEPT_FIELD "DI0417"
        "a value of this struct is made, changed or copied, and reverse code cannot keep one of its fields"
        "take the struct by `&`, and keep in separate variables what is neither a number, an enum or a struct of the same file, nor an array, a tuple, an option or a vector of these";
    LENGTH_BEHIND "DI0418"
        "the length of a vector in a struct behind `&mut` changes here, and this body cannot stand in the place of its calls"
        "take the struct by value, and return it: `fn grown(mut g: Grid, x: f64) -> Grid`; a function that calls itself has to do that, and one that gets a struct of which it does not know the fields";
    RULE_ARGUMENT "DI0420"
        "the derivatives of the rule are not valid: {}"
        "write `#[custom_rule(partials(df_dx, df_dy))]`, `#[custom_rule(tangent = t)]`, `#[custom_rule(adjoint = a)]`, both of the latter, or `#[custom_rule(with = AutoFiniteDiff::new())]`";
    RULE_PARAMETER "DI0421"
        "`{}` cannot be a parameter of a function with a rule"
        "use `f64`, `&[f64]` or `&[f64; N]`, mark parameters without derivative `#[constant]`, or write the result to one `&mut [f64]`";
    RULE_RESULT "DI0422"
        "a function with a rule returns a number, or numbers in a tuple"
        "return `f64` or a tuple of `f64`, or write to one `&mut [f64]` parameter";
    RULE_PARTIALS "DI0423"
        "these partial derivatives do not match the function: there is one for each number, and the result is a number"
        "list them in the order of the parameters; for slices write a function of tangents or of adjoints: `tangent = t`, `adjoint = a`";
    RULE_NOTHING "DI0424"
        "a function without active parameters needs no rule"
        "call it as it is: its result is constant";
    IMPLICIT_ARGUMENT "DI0425"
        "the equation is not valid: {}"
        "write `#[implicit(root = residual)]` or `#[implicit(fixed_point = map)]`; options: `without(guess)`, `solver = Path`";
    IMPLICIT_RESULT "DI0426"
        "the solution of an equation must be a number, or one slice that is written to"
        "return `f64`, or write to one `&mut [f64]` parameter";
    IMPLICIT_WITHOUT "DI0427"
        "`{}` is not a parameter that the equation can leave out"
        "name parameters of the function, and leave at least one differentiated parameter to the equation";
    // ---- 05 the derive ----
    DERIVE_NOT_A_STRUCT "DI0501"
        "`#[derive(Differentiable)]` goes on a struct with fields, or on an enum whose variants hold floats"
        "for others, mark the parameter `#[constant]`";
    DERIVE_GENERICS "DI0502"
        "a struct that is generic over types, or over lengths beside lifetimes, cannot be differentiated"
        "use `f64`; it may have lengths, `struct P<const N: usize>`, or lifetimes, `struct P<'a>`";
    DERIVE_FIELD "DI0503"
        "a field of type `{}` cannot be differentiated"
        "use `f64`, arrays, vectors and tuples of it, a derived struct, an `Option` of one of these, or with the feature `ndarray` `Array1<f64>` and `Array2<f64>`; or mark the field `#[constant]`";
    DERIVE_ENUM "DI0504"
        "the type `{}` holds floats, or types that are not known here"
        "derive `Differentiable` for it, or mark the field `#[constant]`";
    DERIVE_TUPLE "DI0505"
        "`{}` has no floats, and stands beside floats in a tuple, which has no room for it"
        "name the parts: `struct Layer { kind: Kind, weight: f64 }` with `layers: Vec<Layer>`";
    DERIVE_VARIANT "DI0506"
        "a variant that holds a `{}` cannot be differentiated"
        "use `f64`, arrays, vectors and tuples of it, or derived structs and enums; keep the nodes of a tree in a vector, and their indices in variants";
    OWN_CLONE "DI0507"
        "this `clone` may do something else than copy each field, which derivatives do"
        "derive `Clone`, and give what does something else another name; by hand it may be `*self`, or `Self { a: self.a.clone(), .. }`";
    // ---- 06 arrays of ndarray ----
    ARRAY_TYPE "DI0601"
        "this type with arrays of `ndarray` in it is not supported"
        "take `&Array1<f64>`, `&Array2<f64>`, views of rank 1 or 2 or `&mut` of them, and return `Array1<f64>` or `Array2<f64>`";
    ARRAY_CONSTANT "DI0602"
        "a constant array cannot be passed by value"
        "take `&Array1<f64>` or `ArrayView1<f64>`";
    ARRAY_PLACE "DI0603"
        "an array of `ndarray` cannot be used here"
        "bind it to a variable, or pass it to an annotated function by reference";
    ARRAY_UNKNOWN "DI0604"
        "this is not known to be an array of `ndarray`"
        "write the type of the variable that holds it, such as `let h: Array1<f64> = net.bias();`";
    ARRAY_METHOD "DI0605"
        "`{}` of arrays of `ndarray` is not supported"
        "write it with operators, `mapv`, `dot`, `sum`, views or a loop over the elements";
    ARRAY_AXIS "DI0606"
        "an axis must be written as `Axis(0)`, or as `Axis(1)` of a matrix"
        "write its number";
    ARRAY_SLICE "DI0607"
        "this slice is not supported"
        "write `s![a..b, ..]` with ends of type `usize`, literals that may count from the end, and steps forward";
    ARRAY_SHAPE "DI0608"
        "this shape is not supported"
        "write the lengths: `(m, n)`, `a.dim()` or `a.raw_dim()`";
    ARRAY_STRIDED "DI0609"
        "elements that are not contiguous cannot be used like this"
        "make a copy with `to_owned()`, or index the array";
    ARRAY_CLOSURE "DI0610"
        "a closure or the path of a function is expected here"
        "write `|v| ..`";
    ARRAY_LATE "DI0611"
        "an array of `ndarray` must be initialized where it is declared"
        "write `let a = Array1::zeros(n);`, and assign to its elements";
    ARRAY_REBOUND "DI0612"
        "a view cannot be reassigned"
        "bind the new view to another variable, or copy the elements with `assign`";
    ARRAY_PATTERN "DI0613"
        "a row of an array must be bound to a name in a pattern"
        "write `for row in a.outer_iter()`, `for (k, row) in a.outer_iter().enumerate()` or `for (row, y) in a.outer_iter().zip(&b)`";
    ARRAY_RANK "DI0614"
        "an array of rank {} cannot be used here"
        "arrays have rank 1 or 2, and are combined with arrays of no smaller rank; one element is `a[[i, j]]` or `v[i]`";
    ARRAY_INDEX "DI0615"
        "this index of a matrix is not supported"
        "write `a[[i, j]]`, or bind the index to a variable: `let ij = [i, j];`";
}
