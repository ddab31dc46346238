// Entry point for specs and for calculations on values. It needs no browser and no Node module.
export * from './automatic-axes.ts'
export * from './chart-spec.ts'
export { contrast, type Rgb } from './contrast.ts'
export * from './grouping.ts'
export * from './moving-average.ts'
export { decimalsOf, formatValue, type NumberFormatOptions } from './numbers.ts'
export * from './seasonality.ts'
export { colorOfSeries, paletteColors } from './palettes.ts'
