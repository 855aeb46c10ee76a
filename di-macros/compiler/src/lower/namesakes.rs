//! Paths that lead to one struct, as unification finds them: what is known of it by one name holds by all.

use crate::ir::Tokens;

/// Pairs of them.
#[derive(Debug, Default)]
pub(super) struct Namesakes(Vec<(Tokens, Tokens)>);

impl Namesakes {
    /// Notes that two paths lead to one struct.
    pub(super) fn note(&mut self, x: &Tokens, y: &Tokens) {
        let pair = (x.clone(), y.clone());
        if x != y && !self.0.contains(&pair) {
            self.0.push(pair);
        }
    }

    /// The names of the struct with this path, this one first.
    pub(super) fn of(&self, path: &Tokens) -> Vec<Tokens> {
        let mut found = vec![path.clone()];
        let mut k = 0;
        while let Some(one) = found.get(k).cloned() {
            for (x, y) in &self.0 {
                for (of, other) in [(x, y), (y, x)] {
                    if *of == one && !found.contains(other) {
                        found.push(other.clone());
                    }
                }
            }
            k += 1;
        }
        found
    }
}
