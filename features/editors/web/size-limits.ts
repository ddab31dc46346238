/** The largest image to display, in bytes. */
export const maxImageBytes = 50_000_000
/** The largest PDF to display, in bytes. */
export const maxPdfBytes = 100_000_000
/** The largest version to compare with another one, in bytes. */
export const maxComparedBytes = 10_000_000
