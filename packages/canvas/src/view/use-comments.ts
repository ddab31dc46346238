import { useState } from 'react'

const noIds: ReadonlySet<string> = new Set()

/** Returns the comments that are displayed as text boxes; none while all comments are collapsed. */
export function useExpanded(isForced: boolean) {
  const [expanded, setExpanded] = useState(noIds)
  const [toggle] = useState(() => (id: string) => setExpanded((ids) => toggled(ids, id)))
  return { expanded: isForced ? noIds : expanded, toggle }
}

function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return next
}
