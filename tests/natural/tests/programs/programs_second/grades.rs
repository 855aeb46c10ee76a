//! First year: weighted grade of a class, the worst homework of each student is dropped.

use di::prelude::*;

#[derive(Debug, Clone, Differentiable)]
struct Student {
    #[constant]
    name: String,
    homework: Vec<f64>,
    exam: f64,
}

#[differentiable]
impl Student {
    fn average(&self) -> f64 {
        let mut marks = self.homework.clone();
        marks.sort_by(|a, b| b.partial_cmp(a).unwrap());
        marks.pop();
        let s: f64 = marks.iter().sum();
        s / marks.len() as f64
    }

    fn total(&self, weight: f64) -> f64 {
        weight * self.average() + (1.0 - weight) * self.exam
    }
}

#[differentiable]
fn spread(class: &Vec<Student>, weight: f64) -> f64 {
    let totals: Vec<f64> = class.iter().map(|s| s.total(weight)).collect();
    let mean = totals.iter().sum::<f64>() / totals.len() as f64;
    let var = totals.iter().map(|t| (t - mean).powi(2)).sum::<f64>() / (totals.len() - 1) as f64;
    var.sqrt()
}

pub(super) fn main() -> Result<(), di::Error> {
    let class = vec![
        Student { name: "Ada".to_string(), homework: vec![9.0, 8.5, 3.0], exam: 7.0 },
        Student { name: "Bob".to_string(), homework: vec![5.0, 6.5, 7.0], exam: 9.0 },
        Student { name: "Cy".to_string(), homework: vec![4.0, 4.5, 6.0], exam: 3.5 },
    ];
    let g = derivative(spread::AD.fix_class(&class), NoPrep, &AutoSource::new(), &0.4)?;
    super::check_of("grades", &[g], &[0.4], |x| spread(&class, x[0]));
    Ok(())
}
