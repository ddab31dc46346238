import type { ToolProps } from '@headwater/web-kit'
import { CsvTool } from './CsvTool.tsx'

/** Editor of CSV files from 20 to 250 MB, and preview of larger ones. */
export default function BasicCsvTool(props: ToolProps) {
  return <CsvTool {...props} isBasic />
}
