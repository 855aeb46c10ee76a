//! A picture of residuals before and after: how many there are of each size.

use std::error::Error;
use std::path::Path;

use plotters::prelude::{
    BLACK, BLUE, ChartBuilder, Color, IntoDrawingArea, PathElement, RED, RGBColor, Rectangle,
    SVGBackend, WHITE,
};

/// Bars of the picture, from a hundredth of a pixel to ten thousand.
const BARS: usize = 60;
const FROM: f64 = -2.0;
const TO: f64 = 4.0;

/// Writes the picture as SVG.
pub(crate) fn draw(path: &Path, before: &[f64], after: &[f64]) -> Result<(), Box<dyn Error>> {
    let (before, after) = (counts(before), counts(after));
    let most = before.iter().chain(&after).max().copied().unwrap_or(1);
    let area = SVGBackend::new(path, (800, 480)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption("residuals before and after", ("sans-serif", 22))
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(60)
        .build_cartesian_2d(FROM..TO, 0..most + most / 20)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .x_desc("length of a residual in pixels")
        .x_label_formatter(&|x| {
            format!("{:.4}", 10f64.powf(*x))
                .trim_end_matches('0')
                .to_owned()
        })
        .y_desc("observations")
        .draw()?;
    let width = (TO - FROM) / BARS as f64;
    for (counts, color, name) in [(before, RED, "before"), (after, BLUE, "after")] {
        let color: RGBColor = color;
        let bars = counts.into_iter().enumerate().map(|(k, count)| {
            let left = FROM + k as f64 * width;
            Rectangle::new([(left, 0), (left + width, count)], color.mix(0.5).filled())
        });
        chart
            .draw_series(bars)?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], color));
    }
    chart
        .configure_series_labels()
        .background_style(WHITE)
        .border_style(BLACK)
        .draw()?;
    area.present()?;
    Ok(())
}

/// How many lengths fall into each bar; what is beyond the ends goes to the outermost ones.
fn counts(lengths: &[f64]) -> Vec<usize> {
    let mut counts = vec![0; BARS];
    for length in lengths {
        let place = (length.log10() - FROM) / (TO - FROM) * BARS as f64;
        counts[(place.max(0.0) as usize).min(BARS - 1)] += 1;
    }
    counts
}
