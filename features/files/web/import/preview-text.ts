import { cutText } from '@headwater/contract'

/** Returns a cell of the preview: `2026-01-31T07:30:00.000` becomes `2026-01-31 07:30:00`. Long cells end with an ellipsis. */
export function previewText(cell: string): string {
  const [, date, time] = /^(\d{4}-\d\d-\d\d)T([\d:.]+)$/.exec(cell) ?? []
  return cutText(time === undefined ? cell : `${date} ${time.replace(/\.000$/, '')}`)
}
