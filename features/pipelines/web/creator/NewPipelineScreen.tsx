import { Creator } from './Creator.tsx'

/** Creator with an empty canvas. */
export default function NewPipelineScreen() {
  return <Creator />
}
