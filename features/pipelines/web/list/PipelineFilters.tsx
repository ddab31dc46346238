import { useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import type { TriggerType } from '@headwater/statuses/contract'
import { Combobox, Select, Tabs } from '@headwater/web-kit'
import { usePipelineTags } from '../pipelines-client.ts'
import { triggerFilters } from '../trigger-labels.ts'
import type { PipelineFilter } from './PipelinesTable.tsx'

const tabs = [
  { value: 'all', label: 'All' },
  { value: 'favourites', label: 'Favourites' },
]

/** Filters of the list of pipelines by favourites, trigger and tag. */
export function PipelineFilters({
  filter: { tag, trigger, favourites },
  onChange,
}: {
  filter: PipelineFilter
  onChange: (change: Partial<PipelineFilter>) => void
}) {
  const [text, setText] = useState('')
  const { tags, total } = usePipelineTags(text === tag ? '' : text)
  const offered = tag !== '' && !tags.includes(tag) ? [...tags, tag] : tags
  return (
    <>
      <Tabs
        label="Pipelines"
        value={favourites ? 'favourites' : 'all'}
        tabs={tabs}
        onChange={(value) => onChange({ favourites: value === 'favourites' })}
      />
      <Select
        label="Trigger"
        hideLabel
        value={trigger}
        options={triggerFilters}
        onChange={(value) => onChange({ trigger: triggerOf(value) })}
      />
      <Combobox
        label="Tag"
        hideLabel
        clearable
        value={tag === '' ? null : tag}
        options={offered.map((value) => ({ value, label: value }))}
        onSearch={setText}
        total={total}
        onChange={(value) => onChange({ tag: value ?? '' })}
        nothingFound="No tag found"
        placeholder="All tags"
      />
    </>
  )
}

/** Filter of the list of pipelines, stored in the URL. */
export function usePipelineFilter(): {
  filter: PipelineFilter
  setFilter: (change: Partial<PipelineFilter>) => void
  clear: () => void
} {
  const [search] = useSearchParams()
  const { pathname, hash } = useLocation()
  const navigate = useNavigate()
  const trigger = triggerOf(search.get('trigger'))
  const filter = {
    text: search.get('query') ?? '',
    tag: search.get('tag') ?? '',
    trigger,
    favourites: search.get('show') === 'favourites',
  }
  function setFilter(change: Partial<PipelineFilter>) {
    const wanted = { ...filter, ...change }
    const next = new URLSearchParams(search)
    const values = {
      query: wanted.text,
      tag: wanted.tag,
      trigger: wanted.trigger === 'ANY' ? '' : wanted.trigger,
      show: wanted.favourites ? 'favourites' : '',
    }
    for (const [name, value] of Object.entries(values))
      if (value === '') next.delete(name)
      else next.set(name, value)
    void navigate({ pathname, search: next.toString(), hash }, { replace: true })
  }
  const clear = () => setFilter({ text: '', tag: '', trigger: 'ANY', favourites: false })
  return { filter, setFilter, clear }
}

function triggerOf(text: string | null): TriggerType {
  return triggerFilters.find(({ value }) => value === text)?.value ?? 'ANY'
}
