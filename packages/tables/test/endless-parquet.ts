import { converted } from '../src/isolated/conversion.ts'
import { joined, sourceOf } from './bytes.ts'

/** Returns a damaged Parquet file at which the reader loops. */
export async function endlessParquet(): Promise<Buffer> {
  const parquet = await joined(converted(sourceOf('id,text\n1,a\n2,b\n3,a\n'), { formats: 'CSV to Parquet' }))
  // The length of a run of levels, which the reader repeats without reading.
  parquet[20] = parquet[20]! ^ 0xff
  return parquet
}
