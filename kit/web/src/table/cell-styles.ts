import type { CSSProperties } from 'react'

/** Returns the style of a cell in a frozen column. */
export function frozenCell(lefts: readonly number[], at: number): object {
  if (at >= lefts.length) return {}
  const edge = at === 0 ? 'first' : undefined
  return {
    'data-stays': edge ?? 'next',
    'data-last': at === lefts.length - 1 || undefined,
    style: { left: lefts[at] },
  }
}

/** Adds the background to the style of the cells, because frozen cells cover content that scrolls below them. */
export function withBackground(style: CSSProperties | undefined): CSSProperties | undefined {
  if (style?.backgroundColor === undefined) return style
  const { backgroundColor, ...others } = style
  return { ...others, '--row-back': backgroundColor } as CSSProperties
}
