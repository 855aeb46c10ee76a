//! A linear-chain CRF for tagging words.
use di::prelude::*;
use crf::{Features, Tag, loss};

#[differentiable]
pub mod crf {
    use std::collections::HashMap;

    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Tag {
        Noun,
        Verb,
        Other,
    }

    impl Tag {
        pub const ALL: [Tag; 3] = [Tag::Noun, Tag::Verb, Tag::Other];
    }

    pub struct Features {
        index: HashMap<(String, Tag), usize>,
    }

    impl Features {
        pub fn from_corpus(corpus: &[Vec<(&str, Tag)>]) -> Self {
            let mut index = HashMap::new();
            for sentence in corpus {
                for (word, _) in sentence {
                    for tag in Tag::ALL {
                        let next = index.len();
                        index.entry((word.to_lowercase(), tag)).or_insert(next);
                    }
                }
            }
            Features { index }
        }
        pub fn len(&self) -> usize {
            self.index.len()
        }
        fn get(&self, word: &str, tag: Tag) -> Option<usize> {
            self.index.get(&(word.to_lowercase(), tag)).copied()
        }
    }

    fn log_sum_exp(values: &[f64]) -> f64 {
        let max = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        max + values.iter().map(|v| (v - max).exp()).sum::<f64>().ln()
    }

    fn emission(w: &[f64], features: &Features, word: &str, tag: Tag) -> f64 {
        features.get(word, tag).map(|i| w[9 + i]).unwrap_or(0.0)
    }

    fn transition(w: &[f64], from: Tag, to: Tag) -> f64 {
        w[3 * from as usize + to as usize]
    }

    fn score(w: &[f64], features: &Features, sentence: &[(&str, Tag)]) -> f64 {
        let mut s = 0.0;
        let mut previous: Option<Tag> = None;
        for &(word, tag) in sentence {
            s += emission(w, features, word, tag);
            if let Some(p) = previous {
                s += transition(w, p, tag);
            }
            previous = Some(tag);
        }
        s
    }

    fn partition(w: &[f64], features: &Features, sentence: &[(&str, Tag)]) -> f64 {
        let mut alpha: Vec<f64> = Tag::ALL.iter().map(|&t| emission(w, features, sentence[0].0, t)).collect();
        for (word, _) in &sentence[1..] {
            alpha = Tag::ALL
                .iter()
                .map(|&to| {
                    let terms: Vec<f64> =
                        Tag::ALL.iter().zip(&alpha).map(|(&from, a)| a + transition(w, from, to)).collect();
                    log_sum_exp(&terms) + emission(w, features, word, to)
                })
                .collect();
        }
        log_sum_exp(&alpha)
    }

    pub fn loss(w: &[f64], #[constant] features: &Features, #[constant] corpus: &[Vec<(&str, Tag)>]) -> f64 {
        let nll: f64 = corpus.iter().map(|s| partition(w, features, s) - score(w, features, s)).sum();
        nll + 0.05 * w.iter().map(|x| x * x).sum::<f64>()
    }
}

pub(super) fn main() -> Result<(), di::Error> {
    let corpus = vec![
        vec![("The", Tag::Other), ("dog", Tag::Noun), ("barks", Tag::Verb)],
        vec![("dog", Tag::Noun), ("sees", Tag::Verb), ("the", Tag::Other), ("cat", Tag::Noun)],
    ];
    let features = Features::from_corpus(&corpus);
    let w: Vec<f64> = (0..9 + features.len()).map(|i| 0.1 * ((i * 7 % 11) as f64 - 5.0)).collect();
    let f = loss::AD.with(&features, &corpus);
    let g = gradient(f, NoPrep, &AutoSource::new(), &w)?;
    super::check_of("tagger", &g, &w, |w| loss(w, &features, &corpus));
    Ok(())
}
