import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { listHolidayCalendars } from '@headwater/symbols/contract'
import { call, Combobox, routeKey } from '@headwater/web-kit'

const calendarsSize = 50

/** Field for the holiday calendar, searched by name or description. */
export function HolidayCalendarField({
  value,
  onChange,
}: {
  value: string | null
  onChange: (name: string | null) => void
}) {
  const [text, setText] = useState('')
  const input = { query: { query: `*${isChosen(text, value) ? '' : text}*`, size: calendarsSize } }
  const calendars = useQuery({
    queryKey: routeKey(listHolidayCalendars, input),
    queryFn: ({ signal }) => call(listHolidayCalendars, input, { signal }),
    placeholderData: (previous) => previous,
  })
  const options = (calendars.data?.items ?? []).map(({ name, description }) => ({
    value: name,
    label: description === '' ? name : `${name} – ${description}`,
  }))
  const isKnown = value === null || options.some((option) => option.value === value)
  return (
    <Combobox
      label="Holiday calendar"
      clearable
      placeholder="Monday to Friday"
      value={value}
      options={isKnown ? options : [{ value, label: value }, ...options]}
      onSearch={setText}
      total={calendars.data?.totalSize}
      loading={calendars.isFetching}
      onChange={onChange}
    />
  )
}

/** Returns whether the text is the selected calendar, which is not a search. */
function isChosen(text: string, value: string | null): boolean {
  return value !== null && (text === value || text.startsWith(`${value} – `))
}
