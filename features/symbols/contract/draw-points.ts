/** Values of `drawPoints` in a query. The series engine has the same limits (`drawPointLimits`). */
export const drawPoints = { min: 4, max: 100_000 } as const

/** Points per series that previews request: about as many as their charts can show. */
export const previewDrawPoints = 2000
