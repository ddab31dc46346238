import { convertTable } from '../src/isolated/convert-table.ts'
import { joined, sourceOf } from './bytes.ts'
import { endlessParquet } from './endless-parquet.ts'

// Process that converts a file without end, for a test that kills it.

const parts = convertTable(
  sourceOf(await endlessParquet()),
  { formats: 'Parquet to CSV' },
  new AbortController().signal,
)
await joined(parts)
