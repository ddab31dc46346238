import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { statsTile, type StatValue } from '@headwater/tile-data/core'
import { StatFigure } from './StatFigure.tsx'

/** Returns the arrow and the mood of a change. */
function changeOf(difference: number, rising: 'good' | 'bad' | 'neutral') {
  const definition = statsTile.parse({ type: 'STATS', rising, sparkline: false, freshness: false })
  const value: StatValue = {
    label: 'Brent',
    unit: { unit: '', unitOnFront: false },
    value: 10 + difference,
    decimals: 0,
    change: { difference, share: difference / 10, before: { time: 0, value: 10 } },
    points: [],
    newest: undefined,
    at: undefined,
    threshold: undefined,
  }
  const html = renderToStaticMarkup(<StatFigure value={value} definition={definition} refreshedAt={0} />)
  return [/tabler-icon-(arrow-[\w-]+)/.exec(html)?.[1], /data-mood="(\w+)"/.exec(html)?.[1]]
}

test('a change has an arrow in its direction, and is good, bad or neutral as the definition states', () => {
  expect(changeOf(1, 'good')).toEqual(['arrow-up-right', 'good'])
  expect(changeOf(-1, 'good')).toEqual(['arrow-down-right', 'bad'])
  expect(changeOf(1, 'bad')).toEqual(['arrow-up-right', 'bad'])
  expect(changeOf(-1, 'bad')).toEqual(['arrow-down-right', 'good'])
  expect(changeOf(1, 'neutral')).toEqual(['arrow-up-right', undefined])
  expect(changeOf(0, 'good')).toEqual(['arrow-right', undefined])
})
