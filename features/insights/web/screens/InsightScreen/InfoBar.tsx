import { useQueryClient } from '@tanstack/react-query'
import { streamData } from '@headwater/symbols/contract'
import { Skeleton } from '@headwater/web-kit'
import { tileDataKey, useHasPageRange } from '@headwater/tile-data/web'
import { infoValue, type Insight } from '../../../contract/index.ts'
import { PartFrame } from '../../components/PartFrame.tsx'
import { RefreshNote } from '../../components/RefreshNote.tsx'
import { useLogo } from '../../insights-client.ts'
import { ParamChips } from '../../lazy-parts.ts'
import { buildsFromPx, useFitsBuilder } from './use-fits-builder.ts'
import styles from './InsightWorkspace.module.css'

/** The logo, the description, the chosen parameters and the age of the data. */
export function InfoBar({ insight, hasParams }: { insight: Insight; hasParams: boolean }) {
  const hasPageRange = useHasPageRange()
  const hasChips = hasParams || hasPageRange
  const client = useQueryClient()
  const { description, fields } = insight
  const isTooNarrow = !useFitsBuilder() && insight.writeAccess
  const logo = useLogo(insight, infoValue(fields, 'logo'))
  const note = (
    <RefreshNote
      onRefresh={() => {
        for (const name of [tileDataKey, streamData.name, 'fileTable'])
          void client.invalidateQueries({ queryKey: [name] })
      }}
    />
  )
  const about =
    logo.data === undefined && description === '' ? null : (
      <>
        {logo.data === undefined ? null : <img className={styles.logo} src={logo.data} alt="" />}
        {description === '' ? null : (
          <p className={styles.description} title={description}>
            {description}
          </p>
        )}
      </>
    )
  return (
    <>
      {isTooNarrow ? (
        <p className={styles.narrow}>
          To edit this insight, open it in a window at least {buildsFromPx} pixels wide.
        </p>
      ) : null}
      {about === null && hasChips ? null : (
        <div className={styles.bar}>
          {about}
          {hasChips ? null : note}
        </div>
      )}
      {hasChips ? (
        <div className={styles.bar}>
          <PartFrame waiting={<Skeleton height={28} />}>
            <ParamChips />
          </PartFrame>
          {note}
        </div>
      ) : null}
    </>
  )
}
