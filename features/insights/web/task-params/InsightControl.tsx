import { useState } from 'react'
import { parseObjectValue } from '@headwater/tasks/core'
import type { ParamControlProps } from '@headwater/tasks/web'
import { Combobox } from '@headwater/web-kit'
import { insightLabel, useInsights } from './insights-of-params.ts'

/** Maximum number of insights that the field offers at once. */
const offered = 200

/** Selects an insight by a part of its name. The value is the id of the insight, which a rename does not change. */
export default function InsightControl({ groupName: _own, value, onChange, ...field }: ParamControlProps) {
  const id = parseObjectValue(value)?.id
  const chosen = useInsights({ id, size: 1 }, id !== undefined)
  const [typed, setTyped] = useState('')
  const insight = chosen.data?.items.find((each) => each.id === id)
  const isMissing = id !== undefined && chosen.data !== undefined && insight === undefined
  const label = insight === undefined ? (id ?? '') : insightLabel(insight)
  const text = typed === label ? '' : typed.replaceAll(/[=&]/g, ' ').trim()
  const matches = useInsights({ query: text, size: offered, sortBy: 'name', sortOrder: 'asc' })
  const options = (matches.data?.items ?? []).map((each) => ({ value: each.id, label: insightLabel(each) }))
  if (id !== undefined && !options.some((option) => option.value === id)) options.push({ value: id, label })
  return (
    <Combobox
      {...field}
      error={
        field.error ??
        (isMissing ? 'This insight does not exist, or you cannot read it. Choose another one.' : null)
      }
      value={id ?? null}
      placeholder={field.placeholder || 'Choose an insight'}
      options={options}
      onSearch={setTyped}
      total={matches.data?.totalSize}
      loading={matches.isFetching}
      onChange={(next) => onChange(next ?? '')}
    />
  )
}
