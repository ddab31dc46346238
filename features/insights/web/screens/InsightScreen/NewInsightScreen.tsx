import { preloadBuilder } from '../../lazy-parts.ts'
import { InsightWorkspace } from './InsightWorkspace.tsx'

preloadBuilder()

/** The builder of a new insight. */
export default function NewInsightScreen() {
  return <InsightWorkspace saved={undefined} />
}
