import { InsightWorkspace } from './InsightWorkspace.tsx'

/** The builder of a new insight. */
export default function NewInsightScreen() {
  return <InsightWorkspace saved={undefined} />
}
