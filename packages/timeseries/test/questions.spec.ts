import { afterAll, beforeAll, describe } from 'vitest'
import type { SeriesEngine } from '../src/series-engine.ts'
import { describeAggregation } from './aggregate.spec.ts'
import { describeAnswers } from './answer-cache.spec.ts'
import { describeArrow } from './arrow.spec.ts'
import { describeChoosing } from './choosing.spec.ts'
import { describeColumnLayout } from './column-layout.spec.ts'
import { describeDrawing } from './drawing.spec.ts'
import { describeFills } from './fill.spec.ts'
import { describeFormulas } from './formula.spec.ts'
import { describeJsonNames } from './json-names.spec.ts'
import { describeOneMoment } from './one-moment.spec.ts'
import { describeResampling } from './resample.spec.ts'
import { describeNewestPoints } from './newest-points.spec.ts'
import { describeWorkingDays } from './working-days.spec.ts'

/** Describes the responses that every adapter must give to queries that do more than choose points. `open` returns an engine on an empty database. */
export function describeQuestions(name: string, open: () => Promise<SeriesEngine>): void {
  describeWith(name, open, [
    describeWorkingDays,
    describeChoosing,
    describeFills,
    describeDrawing,
    describeColumnLayout,
    describeArrow,
    describeJsonNames,
    describeFormulas,
    describeOneMoment,
    describeResampling,
    describeAggregation,
    describeNewestPoints,
    describeAnswers,
  ])
}

/** Describes the responses in which adapters could differ: the statements are the same, the transport of rows and formats is not. */
export function describeFewQuestions(name: string, open: () => Promise<SeriesEngine>): void {
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
    }, 60_000)
    afterAll(() => engine?.close())

    for (const describePart of parts) describePart(() => engine)
  })
}
