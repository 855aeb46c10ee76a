//! Plots as SVG: time against size on logarithmic axes, and time by backend where there is one size.
//!
//! Colours are classes; the page says what they are in light and in dark.

use std::fmt::Write;

use super::table::time;

/// One line of a plot, or one row.
#[derive(Clone, Debug)]
pub(super) struct Series {
    pub(super) name: String,
    /// Number of its colour and mark.
    pub(super) style: usize,
    /// Size and seconds.
    pub(super) points: Vec<(f64, f64)>,
}

/// Colours that the page knows; more series have dashed lines.
pub(super) const COLORS: usize = 8;

const WIDTH: f64 = 360.0;
const HEIGHT: f64 = 270.0;
const LEFT: f64 = 54.0;
const RIGHT: f64 = 26.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 42.0;

/// A logarithmic axis from `low` to `high`, both powers of ten, on `from..to`.
#[derive(Clone, Copy, Debug)]
struct Axis {
    low: i32,
    high: i32,
    from: f64,
    to: f64,
}

impl Axis {
    fn new(values: impl Iterator<Item = f64>, from: f64, to: f64) -> Self {
        let positive = values.filter(|v| *v > 0.0 && v.is_finite());
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in positive {
            (low, high) = (low.min(value.log10()), high.max(value.log10()));
        }
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        // A hair of room, so that a power of ten does not open another decade.
        let (low, high) = ((low + 1e-9).floor() as i32, (high - 1e-9).ceil() as i32);
        Axis {
            low,
            high: high.max(low + 1),
            from,
            to,
        }
    }

    fn at(self, value: f64) -> f64 {
        let (low, high) = (f64::from(self.low), f64::from(self.high));
        let share = (value.log10() - low) / (high - low);
        self.from + share * (self.to - self.from)
    }

    fn ticks(self) -> impl Iterator<Item = f64> {
        // No more than eight labels.
        let step = 1 + (self.high - self.low) / 8;
        (self.low..=self.high)
            .step_by(step.max(1) as usize)
            .map(|p| 10.0_f64.powi(p))
    }
}

/// A power of ten in seconds.
fn unit(seconds: f64) -> String {
    let text = time(seconds * 1.0000001);
    let (number, unit) = text.split_once(' ').unwrap_or((&text, ""));
    let number = number.split_once('.').map_or(number, |(whole, _)| whole);
    format!("{number} {unit}")
}

/// A power of ten, digits in groups.
fn count(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) && digits.len() > 4 {
            grouped.push('\u{202f}');
        }
        grouped.push(digit);
    }
    grouped
}

/// Text that is part of a page.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// A mark at a point; `style` says its form and colour.
pub(super) fn mark(x: f64, y: f64, style: usize, title: &str) -> String {
    let color = style % COLORS;
    let title = escape(title);
    // Where a colour comes again, its mark is another one.
    let form = match (style + style / COLORS) % 4 {
        0 => format!(r#"<circle cx="{x:.1}" cy="{y:.1}" r="4""#),
        1 => format!(
            r#"<rect x="{:.1}" y="{:.1}" width="7" height="7""#,
            x - 3.5,
            y - 3.5
        ),
        2 => format!(
            r#"<path d="M{x:.1} {:.1}l4.6 4.6-4.6 4.6-4.6-4.6z""#,
            y - 4.6
        ),
        _ => format!(r#"<path d="M{x:.1} {:.1}l4.6 8h-9.2z""#, y - 5.0),
    };
    let tag = form.split([' ', '<']).nth(1).unwrap_or("path").to_owned();
    format!(r#"{form} class="mark c{color}"><title>{title}</title></{tag}>"#)
}

/// Time against size. `all` are the points of all panels that share the axes.
pub(super) fn lines(title: &str, series: &[Series], all: &[Series]) -> String {
    let points = || all.iter().flat_map(|series| &series.points);
    let x = Axis::new(points().map(|p| p.0), LEFT, WIDTH - RIGHT);
    let y = Axis::new(points().map(|p| p.1), HEIGHT - BOTTOM, TOP);
    let mut svg = format!(
        r#"<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{}">"#,
        escape(&format!("Time of one call against n, {title}"))
    );
    let _ = write!(
        svg,
        r#"<text class="head" x="{LEFT}" y="16">{}</text>"#,
        escape(title)
    );
    for tick in y.ticks() {
        let at = y.at(tick);
        let _ = write!(
            svg,
            r#"<path class="grid" d="M{LEFT} {at:.1}H{:.1}"/><text class="tick" x="{:.1}" y="{:.1}" text-anchor="end">{}</text>"#,
            WIDTH - RIGHT,
            LEFT - 6.0,
            at + 4.0,
            unit(tick)
        );
    }
    for tick in x.ticks() {
        let at = x.at(tick);
        let _ = write!(
            svg,
            r#"<path class="grid" d="M{at:.1} {TOP}V{:.1}"/><text class="tick" x="{at:.1}" y="{:.1}" text-anchor="middle">{}</text>"#,
            HEIGHT - BOTTOM,
            HEIGHT - BOTTOM + 16.0,
            count(tick)
        );
    }
    let _ = write!(
        svg,
        r#"<text class="tick" x="{:.1}" y="{:.1}" text-anchor="middle">n, numbers in x</text>"#,
        (LEFT + WIDTH - RIGHT) / 2.0,
        HEIGHT - 6.0
    );
    for Series {
        name,
        style,
        points,
    } in series
    {
        let dash = if *style >= COLORS { " dashed" } else { "" };
        let places: Vec<String> = points
            .iter()
            .filter(|p| p.0 > 0.0)
            .map(|p| format!("{:.1} {:.1}", x.at(p.0), y.at(p.1)))
            .collect();
        let _ = write!(
            svg,
            r#"<path class="line c{}{dash}" d="M{}"/>"#,
            style % COLORS,
            places.join("L")
        );
        // A logarithm of zero has no place; the numbers are in the table.
        for point in points.iter().filter(|p| p.0 > 0.0) {
            let title = format!("{name}, n = {}: {}", point.0, time(point.1));
            svg += &mark(x.at(point.0), y.at(point.1), *style, &title);
        }
    }
    svg + "</svg>"
}

/// Time by backend: a filled mark for a prepared call, a hollow one without a prep.
pub(super) fn dots(prepared: &[Series], unprepared: &[Series]) -> String {
    const ROW: f64 = 34.0;
    let all = || {
        prepared
            .iter()
            .chain(unprepared)
            .flat_map(|series| &series.points)
    };
    let mut names: Vec<(&str, usize)> = Vec::new();
    for series in prepared.iter().chain(unprepared) {
        if !names.iter().any(|(name, _)| *name == series.name) {
            names.push((&series.name, series.style));
        }
    }
    let height = TOP + ROW * names.len() as f64 + 24.0;
    let x = Axis::new(all().map(|p| p.1), 16.0, WIDTH - 16.0);
    let mut svg = format!(
        r#"<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="Time of one call by backend">"#
    );
    for tick in x.ticks() {
        let at = x.at(tick);
        let _ = write!(
            svg,
            r#"<path class="grid" d="M{at:.1} 22V{:.1}"/><text class="tick" x="{at:.1}" y="14" text-anchor="middle">{}</text>"#,
            height - 24.0,
            unit(tick)
        );
    }
    for (row, (name, style)) in names.iter().enumerate() {
        let top = TOP + ROW * row as f64;
        let place = |series: &[Series]| {
            let mine = series.iter().find(|series| series.name == *name);
            mine.and_then(|series| series.points.first().copied())
        };
        let (with, without) = (place(prepared), place(unprepared));
        // As long as the plot is wide: some sixty letters of this size.
        let size = (12.0 * 58.0 / name.chars().count().max(58) as f64).max(6.0);
        let _ = write!(
            svg,
            r#"<text class="name" style="font-size:{size:.1}px" x="2" y="{:.1}">{}</text>"#,
            top + 6.0,
            escape(name)
        );
        let y = top + 18.0;
        if let (Some(with), Some(without)) = (with, without) {
            let _ = write!(
                svg,
                r#"<path class="line c{}" d="M{:.1} {y:.1}H{:.1}"/>"#,
                style % COLORS,
                x.at(with.1),
                x.at(without.1)
            );
        }
        if let Some(point) = without {
            let title = format!("{name}, not prepared: {}", time(point.1));
            svg += &mark(x.at(point.1), y, *style, &title).replace("mark ", "mark hollow ");
        }
        if let Some(point) = with {
            let title = format!("{name}, prepared: {}", time(point.1));
            svg += &mark(x.at(point.1), y, *style, &title);
        }
    }
    svg + "</svg>"
}

#[cfg(test)]
mod tests {
    use super::{Axis, count, mark, unit};

    #[test]
    fn axes_end_at_powers_of_ten() {
        let axis = Axis::new([10.0, 10_000.0].into_iter(), 0.0, 300.0);
        assert_eq!(axis.ticks().collect::<Vec<_>>(), [10.0, 100.0, 1e3, 1e4]);
        assert!((axis.at(100.0) - 100.0).abs() < 1e-9);
        let axis = Axis::new([3e-9].into_iter(), 0.0, 1.0);
        assert_eq!((axis.low, axis.high), (-9, -8));
    }

    #[test]
    fn labels_are_short() {
        assert_eq!(unit(1e-8), "10 ns");
        assert_eq!(unit(1e-6), "1 µs");
        assert_eq!(count(1e4), "10\u{202f}000");
        assert_eq!(count(1000.0), "1000");
    }

    #[test]
    fn marks_are_closed() {
        for style in 0..9 {
            let mark = mark(1.0, 2.0, style, "a < b");
            let tag = mark[1..].split(' ').next().unwrap_or_default();
            assert!(mark.ends_with(&format!("</{tag}>")) && mark.contains("a &lt; b"));
        }
    }
}
