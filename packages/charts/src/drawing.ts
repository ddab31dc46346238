// Entry point for drawing charts without a browser.
export { drawChart, type ChartDrawing, type DrawingOptions } from './draw-chart.ts'
export { lightTheme } from './light-theme.ts'
export type { Pen, TextMeasure } from './pen.ts'
