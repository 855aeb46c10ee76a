//! Matrices that are stored by columns, read and written in the flat order of all containers, by rows.

/// Are there no several rows of several columns, so that both orders are one?
pub(super) fn in_order((rows, columns): (usize, usize)) -> bool {
    rows <= 1 || columns <= 1
}

/// Numbers that stand column by column, written row by row.
pub(super) fn by_rows<T: Copy>(columns: &[T], rows: usize, to: &mut [T]) {
    let width = to.len() / rows.max(1);
    for (j, column) in columns.chunks_exact(rows.max(1)).enumerate() {
        for (i, v) in column.iter().enumerate() {
            to[i * width + j] = *v;
        }
    }
}

/// Numbers that stand row by row, written column by column.
pub(super) fn by_columns<T: Copy>(from: &[T], rows: usize, columns: &mut [T]) {
    by_rows(from, from.len() / rows.max(1), columns);
}
