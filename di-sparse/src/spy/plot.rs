//! Pictures as SVG and PNG.

use std::path::Path;

use plotters::backend::DrawingBackend;
use plotters::prelude::{
    BitMapBackend, DrawingAreaErrorKind, HSLColor, IntoDrawingArea, RGBColor, Rectangle,
    SVGBackend, WHITE,
};
use plotters::style::{Color, ShapeStyle};

use super::Spy;

/// Why a picture could not be drawn.
#[derive(Debug)]
#[non_exhaustive]
pub struct PlotError {
    reason: String,
}

impl std::fmt::Display for PlotError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "the picture could not be drawn: {}", self.reason)
    }
}

impl std::error::Error for PlotError {}

fn failed<E: std::error::Error + Send + Sync>(error: DrawingAreaErrorKind<E>) -> PlotError {
    PlotError {
        reason: error.to_string(),
    }
}

/// Cells along a side at most: larger patterns are scaled down.
const CELLS: usize = 512;

impl Spy<'_> {
    /// The picture as SVG, `pixels` wide.
    ///
    /// # Errors
    /// [`PlotError`]
    pub fn svg(&self, pixels: u32) -> Result<String, PlotError> {
        let mut text = String::new();
        self.draw(SVGBackend::with_string(&mut text, self.size(pixels)))?;
        Ok(text)
    }

    /// Writes the picture as SVG, `pixels` wide.
    ///
    /// # Errors
    /// [`PlotError`] if the file cannot be written.
    pub fn write_svg(&self, path: impl AsRef<Path>, pixels: u32) -> Result<(), PlotError> {
        self.draw(SVGBackend::new(path.as_ref(), self.size(pixels)))
    }

    /// Writes the picture as PNG, `pixels` wide.
    ///
    /// # Errors
    /// [`PlotError`] if the file cannot be written.
    pub fn write_png(&self, path: impl AsRef<Path>, pixels: u32) -> Result<(), PlotError> {
        self.draw(BitMapBackend::new(path.as_ref(), self.size(pixels)))
    }

    fn size(&self, pixels: u32) -> (u32, u32) {
        let (rows, columns) = self.pattern.shape();
        let ratio = rows.max(1) as f64 / columns.max(1) as f64;
        let height = (f64::from(pixels) * ratio).round().clamp(1.0, 1e5);
        (pixels.max(1), height as u32)
    }

    fn draw<B: DrawingBackend>(&self, backend: B) -> Result<(), PlotError> {
        let area = backend.into_drawing_area();
        area.fill(&WHITE).map_err(failed)?;
        let (rows, columns) = self.pattern.shape();
        let (width, height) = area.dim_in_pixel();
        // cells of the picture, each of some rows and columns
        let across = columns.clamp(1, CELLS.min(width as usize));
        let down = rows.clamp(1, (CELLS * 2).min(height as usize));
        let mut cells = vec![None; across * down];
        for (place, (i, j)) in self.pattern.entries().enumerate() {
            let cell = &mut cells[i * down / rows * across + j * across / columns];
            if cell.is_none() {
                *cell = Some(self.color(place, i, j));
            }
        }
        let count = self
            .coloring
            .map_or(1, |coloring| coloring.ncolors().max(1));
        let at = |cell: usize, cells: usize, pixels: u32| (cell * pixels as usize / cells) as i32;
        for (index, cell) in cells.iter().enumerate() {
            let Some(color) = cell else { continue };
            let (x, y) = (index % across, index / across);
            let corners = [
                (at(x, across, width), at(y, down, height)),
                (at(x + 1, across, width), at(y + 1, down, height)),
            ];
            let style = ShapeStyle::from(shade(*color, count)).filled();
            area.draw(&Rectangle::new(corners, style)).map_err(failed)?;
        }
        area.present().map_err(failed)
    }
}

/// Hues around the circle, as far apart as there is room.
fn shade(color: Option<usize>, count: usize) -> RGBColor {
    let Some(color) = color else {
        return RGBColor(30, 60, 120);
    };
    let hue = color as f64 / count as f64;
    let lightness = if color.is_multiple_of(2) { 0.42 } else { 0.58 };
    let rgb = HSLColor(hue, 0.75, lightness).to_backend_color().rgb;
    RGBColor(rgb.0, rgb.1, rgb.2)
}
