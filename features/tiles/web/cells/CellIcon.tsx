import type { IconSet } from '@headwater/tile-data/core'

/** An icon of a cell. Its shape has the same meaning as its colour. */
export interface CellIconLook {
  /** The icon set. */
  set: IconSet
  /** Shape of the set, from low to high. */
  shape: 0 | 1 | 2
  /** Accessible name. */
  label: string
  /** CSS colour. */
  color: string
}

/** The icon of a cell, with an accessible name. */
export function CellIcon({ icon, className }: { icon: CellIconLook; className?: string | undefined }) {
  return (
    <svg
      role="img"
      aria-label={icon.label}
      className={className}
      viewBox="0 0 12 12"
      width="11"
      height="11"
      style={{ color: icon.color }}
    >
      <title>{icon.label}</title>
      {shapes[icon.set][icon.shape]}
    </svg>
  )
}

/** The icons as characters, for text-only output. */
export const iconCharacters: Record<IconSet, readonly [string, string, string]> = {
  ARROWS: ['▼', '▶', '▲'],
  SIGNS: ['✖', '!', '✔'],
  CIRCLES: ['○', '◐', '●'],
}

const line = { fill: 'none', stroke: 'currentColor', strokeWidth: 2, strokeLinecap: 'round' } as const
const ring = <circle cx="6" cy="6" r="4.75" fill="none" stroke="currentColor" strokeWidth="1.5" />

const shapes = {
  ARROWS: [
    <path key="0" d="M1 2.5h10L6 10.5z" fill="currentColor" />,
    <path key="1" d="M2.5 1v10L10.5 6z" fill="currentColor" />,
    <path key="2" d="M1 9.5h10L6 1.5z" fill="currentColor" />,
  ],
  SIGNS: [
    <path key="0" d="M2 2l8 8M10 2l-8 8" {...line} />,
    <path key="1" d="M6 1.5v5.5M6 10.5v.1" {...line} />,
    <path key="2" d="M1.5 6.5l3 3 6-7" {...line} />,
  ],
  CIRCLES: [
    ring,
    <g key="1">
      {ring}
      <path d="M6 1.25a4.75 4.75 0 0 1 0 9.5z" fill="currentColor" />
    </g>,
    <circle key="2" cx="6" cy="6" r="5.5" fill="currentColor" />,
  ],
} as const
