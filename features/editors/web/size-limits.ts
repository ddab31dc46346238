/** The largest picture that is shown, in bytes. */
export const maxImageBytes = 50_000_000
/** The largest PDF that is shown, in bytes. */
export const maxPdfBytes = 100_000_000
