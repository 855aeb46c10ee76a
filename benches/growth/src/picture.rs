//! Pictures of lines on logarithmic axes. Knows nothing of what is measured.

use plotters::chart::{ChartBuilder, SeriesLabelPosition};
use plotters::coord::Shift;
use plotters::coord::ranged1d::{AsRangedCoord, ValueFormatter};
use plotters::prelude::{
    BLACK, Circle, Color, DrawingArea, IntoDrawingArea, IntoLogRange, LineSeries, PathElement,
    RGBColor, Ranged, SVGBackend, WHITE,
};
use std::error::Error;
use std::path::Path;

/// Of lines, in the order in which they are told apart best, also by those who see fewer colors.
pub(super) const COLORS: [RGBColor; 4] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(90, 90, 90),
];

/// Width and height of one panel.
const SIZE: (u32, u32) = (520, 380);

/// How points are shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    /// Connected: what is measured.
    Line,
    /// Connected by a thinner line: what is expected.
    Thin,
    /// Dots: what is measured of code by hand.
    Dots,
}

/// Points in a row.
#[derive(Clone)]
pub(super) struct Line {
    pub(super) label: String,
    pub(super) color: RGBColor,
    pub(super) mark: Mark,
    pub(super) points: Vec<(f64, f64)>,
}

impl Line {
    pub(super) fn new(label: impl Into<String>, color: RGBColor, mark: Mark) -> Self {
        Line {
            label: label.into(),
            color,
            mark,
            points: Vec::new(),
        }
    }
}

/// Lines on common axes; the one below is logarithmic.
pub(super) struct Panel {
    title: &'static str,
    below: &'static str,
    pub(super) lines: Vec<Line>,
    /// Whether the other axis is linear and begins at zero; else it is logarithmic too.
    pub(super) from_zero: bool,
}

impl Panel {
    pub(super) fn new(title: &'static str, below: &'static str) -> Self {
        Panel {
            title,
            below,
            lines: Vec::new(),
            from_zero: false,
        }
    }

    /// The least and the largest of what `of` takes from the points.
    fn range(&self, of: impl Fn(&(f64, f64)) -> f64) -> (f64, f64) {
        let all = self.lines.iter().flat_map(|line| &line.points).map(of);
        all.fold((f64::INFINITY, 0.0), |(least, most), v| {
            (v.min(least), v.max(most))
        })
    }
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Draws the panels side by side.
pub(super) fn draw(file: &Path, panels: &[Panel]) -> Result<(), Box<dyn Error>> {
    let area = SVGBackend::new(file, (SIZE.0 * panels.len() as u32, SIZE.1)).into_drawing_area();
    area.fill(&WHITE)?;
    for (panel, area) in panels.iter().zip(area.split_evenly((1, panels.len()))) {
        let (_, most) = panel.range(|point| point.1);
        if panel.from_zero {
            draw_panel(&area, panel, 0.0..most * 1.6)?;
        } else {
            let (least, _) = panel.range(|point| point.1);
            draw_panel(&area, panel, (least / 2.0..most * 30.0).log_scale())?;
        }
    }
    area.present()?;
    Ok(())
}

fn draw_panel<Y>(area: &Area<'_>, panel: &Panel, y: Y) -> Result<(), Box<dyn Error>>
where
    Y: AsRangedCoord<Value = f64>,
    Y::CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    let (first, last) = panel.range(|point| point.0);
    let mut chart = ChartBuilder::on(area)
        .caption(panel.title, ("sans-serif", 15))
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(52)
        .build_cartesian_2d((first..last).log_scale(), y)?;
    let mut mesh = chart.configure_mesh();
    mesh.x_desc(panel.below)
        .x_label_formatter(&|x| short(*x))
        .y_label_formatter(&|y| short(*y))
        .max_light_lines(1)
        .draw()?;
    for line in &panel.lines {
        let (color, mark) = (line.color, line.mark);
        let style = color.stroke_width(if mark == Mark::Thin { 1 } else { 2 });
        let points = line.points.iter().copied();
        let drawn = if mark == Mark::Dots {
            chart.draw_series(points.map(|point| Circle::new(point, 3, color.filled())))?
        } else {
            chart.draw_series(LineSeries::new(points, style))?
        };
        let drawn = drawn.label(line.label.clone());
        if mark == Mark::Dots {
            drawn.legend(move |(x, y)| Circle::new((x + 8, y), 3, color.filled()));
        } else {
            drawn.legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], style));
        }
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.8))
        .label_font(("sans-serif", 12, &BLACK))
        .draw()?;
    Ok(())
}

/// 0.5, 300, 10^4.
fn short(value: f64) -> String {
    if value < 1e4 {
        let digits = if value < 10.0 && value.fract() != 0.0 {
            1
        } else {
            0
        };
        return format!("{value:.digits$}");
    }
    let power = value.log10().floor();
    let factor = value / 10_f64.powf(power);
    let factor = if factor < 1.05 {
        String::new()
    } else {
        format!("{factor:.0} x ")
    };
    format!("{factor}10^{power}")
}
