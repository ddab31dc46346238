import { parseObjectValue } from '@headwater/tasks/core'
import { insightLabel, useInsights } from './insights-of-params.ts'

/** Renders the name and group of the insight of a value; its id if it does not exist or the user cannot read it. */
export default function InsightName({ value }: { value: string }) {
  const id = parseObjectValue(value)?.id
  const { data } = useInsights({ id, size: 1 }, id !== undefined)
  const insight = data?.items.find((each) => each.id === id)
  if (insight !== undefined) return insightLabel(insight)
  return data === undefined ? value : `Unknown insight ${id ?? value}`
}
