import { afterAll, beforeAll, describe } from 'vitest'
import type { SeriesEngine } from '../src/series-engine.ts'
import { describeAggregation } from './aggregate.spec.ts'
import { describeResultCache } from './result-cache.spec.ts'
import { describeArrow } from './arrow.spec.ts'
import { describeChoosing } from './choosing.spec.ts'
import { describeColumnLayout } from './column-layout.spec.ts'
import { describeDrawing } from './drawing.spec.ts'
import { describeFills } from './fill.spec.ts'
import { describeFormulas } from './formula.spec.ts'
import { describeJsonNames } from './json-names.spec.ts'
import { describeConsistency } from './one-timestamp.spec.ts'
import { describeResampling } from './resample.spec.ts'
import { describeNewestPoints } from './newest-points.spec.ts'
import { describeWorkingDays } from './working-days.spec.ts'

/**
 * Tests the results that every adapter must return for queries that do more than select points. `open` returns an
 * engine on an empty database.
 */
export function describeQueries(name: string, open: () => Promise<SeriesEngine>): void {
  describeWith(name, open, [
    describeWorkingDays,
    describeChoosing,
    describeFills,
    describeDrawing,
    describeColumnLayout,
    describeArrow,
    describeJsonNames,
    describeFormulas,
    describeConsistency,
    describeResampling,
    describeAggregation,
    describeNewestPoints,
    describeResultCache,
  ])
}

/**
 * Tests the results in which adapters could differ: the statements are the same, the transport of rows and formats is
 * not.
 */
export function describeFewQueries(name: string, open: () => Promise<SeriesEngine>): void {
  describeWith(name, open, [describeArrow, describeJsonNames, describeFormulas, describeNewestPoints])
}

function describeWith(
  name: string,
  open: () => Promise<SeriesEngine>,
  parts: readonly ((getEngine: () => SeriesEngine) => void)[],
): void {
  describe(name, () => {
    let engine: SeriesEngine
    beforeAll(async () => {
      engine = await open()
    })
    afterAll(() => engine?.close())

    for (const describePart of parts) describePart(() => engine)
  })
}
