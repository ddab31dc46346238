import { useState } from 'react'

const noIds: ReadonlySet<string> = new Set()

/** The comments that are text boxes. While they are collapsed by force, none is. */
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
