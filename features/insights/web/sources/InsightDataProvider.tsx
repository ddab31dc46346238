import { type ReactNode, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { InsightContent } from '../../contract/index.ts'
import { basketOf, type Basket } from '../../contract/basket/basket.ts'
import { paramSetsOf } from '../../contract/params/param-set.ts'
import { valuesInAddress } from '../../contract/params/param-values.ts'
import { InsightDataContext } from './insight-data.ts'
import { type RowPreview, RowPreviewContext } from './row-preview.ts'

/** Tells the tiles inside what the address has applied of the parameters of an insight, and its basket. */
export function InsightDataProvider({
  name,
  content,
  basket,
  children,
}: {
  /** Undefined for an insight that was never saved, and for visitors. */
  name?: { insightName: string; groupName: string } | undefined
  content: InsightContent
  /** In place of the one that is stored. */
  basket: Basket | undefined
  children: ReactNode
}) {
  const [search] = useSearchParams()
  const { inputParams } = content
  const { insightName, groupName } = name ?? {}
  const all = useMemo(() => paramSetsOf({ inputParams }), [inputParams])
  const applied = useMemo(
    () => all.map((set) => ({ set, chosen: valuesInAddress(set, search) })),
    [all, search],
  )
  const key = JSON.stringify(applied)
  // oxlint-disable-next-line react/exhaustive-deps -- the same values stay the same object whatever else the address says
  const sets = useMemo(() => applied, [key])
  const data = useMemo(
    () => ({
      ...(insightName === undefined || groupName === undefined ? {} : { name: { insightName, groupName } }),
      content,
      sets,
      basket: basket ?? basketOf(content),
    }),
    [insightName, groupName, content, sets, basket],
  )
  const [preview, setPreview] = useState<RowPreview>()
  const previewing = useMemo(() => ({ preview, setPreview }), [preview])
  return (
    <InsightDataContext value={data}>
      <RowPreviewContext value={previewing}>{children}</RowPreviewContext>
    </InsightDataContext>
  )
}
