import { Readable } from 'node:stream'
import { formatFileSize, parseJson } from '@headwater/contract'
import type { StepOutcome, StepWork } from '@headwater/runs/server'
import { dataQuery } from '@headwater/symbols/contract'
import type { Symbols } from '@headwater/symbols/server'
import { seriesValue } from '../../core/index.ts'
import type { TaskKind } from '../task-kinds.ts'
import {
  failed,
  input,
  libraryKind,
  output,
  safeFileName,
  storeContent,
  storedOutcome,
  type LibraryFiles,
} from './kind-parts.ts'

/** Series queries and the queue that all queries share. */
export type SeriesQueries = Pick<Symbols, 'data' | 'acquireSlot'>

/** Creates the kind of task that stores the points of a series as a CSV file. */
export function createQuerySeries({
  files,
  symbols,
}: {
  files: LibraryFiles
  symbols: SeriesQueries
}): TaskKind {
  async function run(work: StepWork): Promise<StepOutcome> {
    const { inputs, principal, signal } = work
    const series = seriesValue.safeParse(parseJson(inputs.Series ?? '')).data
    if (series === undefined) return failed('Choose a series.')
    const { From: startDate = '', To: endDate = '', Group: groupName = '' } = inputs
    const query = dataQuery.parse({
      keys: [{ groupName: series.groupName, symbols: series.symbols, columns: [series.column] }],
      ...(startDate === '' ? {} : { startDate }),
      ...(endDate === '' ? {} : { endDate }),
    })
    const slot = await symbols.acquireSlot(principal, query, signal)
    try {
      const result = await symbols.data.run(principal, query, { signal: slot.signal })
      const fileName = safeFileName(inputs['File name'] || `${series.column}.csv`, 'series.csv')
      const stream = Readable.from(result.stream, { objectMode: false })
      const stored = await storeContent(files, work, { groupName, fileName, fileType: 'SOURCE' }, stream)
      return storedOutcome(stored, `Stored ${fileName} (${formatFileSize(stored.size)}) in ${groupName}.`)
    } finally {
      slot.end()
    }
  }

  return {
    ...libraryKind,
    definitionId: 'query-series',
    definitionName: 'query-series',
    readableName: 'Query series',
    category: 'Storage',
    description: 'Stores the points of a series as a CSV file in a group.',
    params: [
      input('Series', 'SERIES', 'The series to query.'),
      input('From', 'DATE', 'First date. Default: all points.', { optional: true }),
      input('To', 'DATE', 'Last date. Default: all points.', { optional: true }),
      input('Group', 'GROUP', 'Group for the file.'),
      input('File name', 'TEXT', 'Name of the file. Default: the name of the column.', { optional: true }),
      output('File', 'FILE', 'The stored file.'),
    ],
    repeatable: true,
    isShort: () => true,
    run,
  }
}
