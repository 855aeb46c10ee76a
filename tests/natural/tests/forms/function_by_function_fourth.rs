//! Programs annotated function by function, a fourth collection.

/// Zero-inflated count regression over sites and visits.
mod counts {
    use di::prelude::*;
    use std::fmt;

    #[derive(Debug, Clone)]
    struct Site {
        name: String,
        elevation: f64,
        visits: Vec<Visit>,
    }

    #[derive(Debug, Clone)]
    struct Visit {
        count: u32,
        effort: f64,
        weather: Weather,
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    enum Weather {
        Sun,
        Rain,
        Wind,
    }

    impl fmt::Display for Weather {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "{self:?}")
        }
    }

    #[differentiable]
    fn logistic(x: f64) -> f64 {
        1.0 / (1.0 + (-x).exp())
    }

    fn log_factorial(n: u32) -> f64 {
        (1..=n).map(|k| (k as f64).ln()).sum()
    }

    #[differentiable]
    fn poisson_log(count: u32, mean: f64) -> f64 {
        count as f64 * mean.ln() - mean - log_factorial(count)
    }

    #[differentiable]
    fn nll(beta: &[f64], #[constant] sites: &[Site]) -> f64 {
        let mut total = 0.0;
        for site in sites {
            let occupied = logistic(beta[0] + beta[1] * site.elevation);
            let mut all_zero = true;
            let mut detection = 0.0;
            for visit in &site.visits {
                let effect = match visit.weather {
                    Weather::Sun => 0.0,
                    Weather::Rain => beta[3],
                    Weather::Wind => beta[4],
                };
                let mean = (beta[2] + effect).exp() * visit.effort;
                detection += match visit.count {
                    0 => -mean,
                    n => {
                        all_zero = false;
                        poisson_log(n, mean)
                    }
                };
            }
            let likelihood =
                occupied * detection.exp() + if all_zero { 1.0 - occupied } else { 0.0 };
            total -= likelihood.ln();
        }
        total
    }

    #[test]
    fn counts() {
        let v = |count, effort, weather| Visit {
            count,
            effort,
            weather,
        };
        let sites = vec![
            Site {
                name: "a".into(),
                elevation: 0.3,
                visits: vec![v(0, 1.0, Weather::Sun), v(2, 0.5, Weather::Rain)],
            },
            Site {
                name: "b".into(),
                elevation: -0.3,
                visits: vec![v(0, 1.5, Weather::Wind), v(0, 0.7, Weather::Rain)],
            },
        ];
        crate::check::scalar!(nll, (&sites), &[0.2, 0.5, 0.1, -0.3, 0.4]);
    }
}

/// Gene expression with regulatory edges: graph with typed edges and Option fields.
mod genes {
    use di::prelude::*;
    use std::collections::BTreeMap;

    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    enum Sign {
        Activates,
        Represses,
    }

    struct Edge {
        from: usize,
        to: usize,
        sign: Sign,
        weight_index: Option<usize>,
    }

    struct Graph {
        genes: Vec<String>,
        edges: Vec<Edge>,
        clamped: BTreeMap<usize, f64>,
    }

    #[derive(Differentiable, Clone)]
    struct Parameters {
        basal: Vec<f64>,
        weights: Vec<f64>,
        decay: f64,
    }

    impl Graph {
        fn incoming(&self, gene: usize) -> impl Iterator<Item = &Edge> {
            self.edges.iter().filter(move |e| e.to == gene)
        }
    }

    #[differentiable]
    impl Parameters {
        fn weight(&self, edge: &Edge) -> f64 {
            edge.weight_index.map_or(1.0, |i| self.weights[i])
        }

        fn production(&self, gene: usize, levels: &[f64], graph: &Graph) -> f64 {
            let mut p = self.basal[gene];
            for edge in graph.edges.iter().filter(|e| e.to == gene) {
                let x = levels[edge.from] * self.weight(edge);
                p *= match edge.sign {
                    Sign::Activates => x / (1.0 + x),
                    Sign::Represses => 1.0 / (1.0 + x),
                };
            }
            p
        }
    }

    #[differentiable]
    fn steady_state(p: &Parameters, graph: &Graph, start: &[f64]) -> Vec<f64> {
        let mut levels = start.to_vec();
        for _ in 0..10 {
            let mut next = levels.clone();
            for gene in 0..graph.genes.len() {
                if let Some(&value) = graph.clamped.get(&gene) {
                    next[gene] = value;
                    continue;
                }
                let change = p.production(gene, &levels, graph) - p.decay * levels[gene];
                next[gene] += 0.3 * change;
            }
            levels = next;
        }
        levels
    }

    #[differentiable]
    fn misfit(
        p: &Parameters,
        #[constant] graph: &Graph,
        #[constant] start: &[f64],
        #[constant] measured: &[(String, f64)],
    ) -> f64 {
        let levels = steady_state(p, graph, start);
        let mut sum = 0.0;
        for (name, value) in measured {
            let i = graph.genes.iter().position(|g| g == name).unwrap();
            sum += (levels[i].ln() - value.ln()).powi(2);
        }
        sum
    }

    #[test]
    fn genes() {
        let edge = |from, to, sign, weight_index| Edge {
            from,
            to,
            sign,
            weight_index,
        };
        let graph = Graph {
            genes: vec!["g1".into(), "g2".into(), "g3".into()],
            edges: vec![
                edge(0, 1, Sign::Activates, Some(0)),
                edge(1, 2, Sign::Represses, None),
                edge(2, 1, Sign::Represses, Some(1)),
            ],
            clamped: BTreeMap::from([(0, 0.8)]),
        };
        let measured = vec![("g2".to_string(), 0.4), ("g3".to_string(), 0.9)];
        let start = [0.5, 0.4, 0.6];
        crate::check::made!(
            misfit::AD.with(&graph, &start, &measured),
            |p: &Parameters| misfit(p, &graph, &start, &measured),
            |q: &Vec<f64>| Parameters {
                basal: q[..3].to_vec(),
                weights: q[3..5].to_vec(),
                decay: q[5]
            },
            |p: &Parameters| {
                let mut v = p.basal.clone();
                v.extend(&p.weights);
                v.push(p.decay);
                v
            },
            &vec![1.0, 1.2, 0.9, 1.5, 0.7, 0.8]
        );
    }
}

/// Image filters: a learned blur, edges, and total variation.
mod image_filters {
    use di::prelude::*;
    #[derive(Clone, Debug, Differentiable)]
    pub struct Image {
        width: usize,
        height: usize,
        pixels: Vec<f64>,
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Border {
        Clamp,
        Zero,
        Wrap,
    }

    #[differentiable]
    impl Image {
        pub fn new(width: usize, height: usize) -> Image {
            Image {
                width,
                height,
                pixels: vec![0.0; width * height],
            }
        }

        pub fn from_fn<F: Fn(usize, usize) -> f64>(width: usize, height: usize, f: F) -> Image {
            let mut pixels = Vec::new();
            for y in 0..height {
                for x in 0..width {
                    pixels.push(f(x, y));
                }
            }
            Image {
                width,
                height,
                pixels,
            }
        }

        pub fn get(&self, x: isize, y: isize, border: Border) -> f64 {
            let (w, h) = (self.width as isize, self.height as isize);
            let (x, y) = match border {
                Border::Clamp => (x.clamp(0, w - 1), y.clamp(0, h - 1)),
                Border::Wrap => (x.rem_euclid(w), y.rem_euclid(h)),
                Border::Zero => {
                    if x < 0 || y < 0 || x >= w || y >= h {
                        return 0.0;
                    }
                    (x, y)
                }
            };
            self.pixels[(y * w + x) as usize]
        }

        pub fn convolve(&self, kernel: &[Vec<f64>], border: Border) -> Image {
            let radius = (kernel.len() / 2) as isize;
            let mut out = Image::new(self.width, self.height);
            for y in 0..self.height {
                for x in 0..self.width {
                    let mut sum = 0.0;
                    for (j, row) in kernel.iter().enumerate() {
                        for (i, k) in row.iter().enumerate() {
                            let (dx, dy) = (i as isize - radius, j as isize - radius);
                            sum += k * self.get(x as isize + dx, y as isize + dy, border);
                        }
                    }
                    out.pixels[y * self.width + x] = sum;
                }
            }
            out
        }
    }

    #[differentiable]
    fn objective(
        kernel: &[f64],
        #[constant] sharp: &Image,
        #[constant] blurred: &Image,
        #[constant] border: Border,
    ) -> f64 {
        let rows: Vec<Vec<f64>> = kernel.chunks(3).map(|r| r.to_vec()).collect();
        let guess = sharp.convolve(&rows, border);
        let data: f64 = guess
            .pixels
            .iter()
            .zip(blurred.pixels.iter())
            .map(|(a, b)| (a - b).powi(2))
            .sum();
        let mass: f64 = kernel.iter().sum();
        data + 10.0 * (mass - 1.0).powi(2)
    }

    #[test]
    fn image_filters() {
        let sharp = Image::from_fn(4, 3, |x, y| (x as f64 * 0.7 + y as f64).sin());
        let blurred = Image::from_fn(4, 3, |x, y| 0.1 * x as f64 - 0.2 * y as f64);
        let k: Vec<f64> = (0..9).map(|i| 0.1 + 0.01 * i as f64).collect();
        crate::check::scalar!(objective, (&sharp, &blurred, Border::Zero), &k);
        crate::check::scalar!(objective, (&sharp, &blurred, Border::Wrap), &k);
    }
}
