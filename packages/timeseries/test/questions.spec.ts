import { afterAll, beforeAll, describe } from 'vitest'
import type { SeriesEngine } from '../src/series-engine.ts'
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

/** What every adapter must answer to questions that do more than choose points. `open` gives an engine on an empty database. */
export function describeQuestions(name: string, open: () => Promise<SeriesEngine>): void {
  describe(name, () => {
    let engine: SeriesEngine
    const getEngine = () => engine
    beforeAll(async () => {
      engine = await open()
    }, 60_000)
    afterAll(() => engine?.close())

    describeWorkingDays(getEngine)
    describeChoosing(getEngine)
    describeFills(getEngine)
    describeDrawing(getEngine)
    describeColumnLayout(getEngine)
    describeArrow(getEngine)
    describeJsonNames(getEngine)
    describeFormulas(getEngine)
    describeOneMoment(getEngine)
    describeResampling(getEngine)
    describeNewestPoints(getEngine)
    describeAnswers(getEngine)
  })
}
