import type { ToolProps } from '@headwater/web-kit'
import { CsvTool } from './CsvTool.tsx'

/** Editor of CSV files below 20 MB: spreadsheet or raw text. */
export default function FullCsvTool(props: ToolProps) {
  return <CsvTool {...props} isBasic={false} />
}
