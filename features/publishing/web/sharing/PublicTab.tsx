import { useSession } from '@headwater/accounts/web'
import { useState } from 'react'
import {
  Checkbox,
  ConfirmDialog,
  DateField,
  ErrorNote,
  fieldErrors,
  message,
  Select,
  Skeleton,
  Switch,
  Time,
  toastError,
} from '@headwater/web-kit'
import { type Tile } from '@headwater/tile-data/contract'
import { infoValue, type Insight } from '@headwater/insights/contract'
import { selfActivationTiles, type PublicStatus } from '../../contract/index.ts'
import { publicTiles } from '@headwater/insights/core'
import { codeTile } from '@headwater/tiles/web'
import { PublicLinks } from './PublicLinks.tsx'
import { usePublicLinks, usePublicStatus, useSharingCalls, useSubmittedForms } from './sharing-client.ts'
import styles from './ShareDialog.module.css'

/** Settings of the public view of an insight: expiry, links and visitor form. */
export function PublicTab({ insight }: { insight: Insight }) {
  const status = usePublicStatus(insight)
  if (status.error !== null) return <ErrorNote error={status.error} />
  if (status.data === undefined) return <Skeleton lines={5} />
  return <PublicSettings insight={insight} status={status.data} />
}

function PublicSettings({ insight, status }: { insight: Insight; status: PublicStatus }) {
  const calls = useSharingCalls(insight)
  const [error, setError] = useState<unknown>()
  // The switch moves at once; the response can take a while.
  const [requested, setRequested] = useState<boolean>()
  const { isPublic, expirationDate, publisher } = status
  const { userName } = useSession()
  const ended = !isPublic && publisher !== null
  const { listed } = usePublicLinks(insight, isPublic)
  const linkCount = listed.data?.items.length
  const [isEnding, setEnding] = useState(false)

  async function change(next: { isPublic: boolean; expirationDate: string | null }) {
    setError(undefined)
    setRequested(next.isPublic)
    try {
      await calls.setPublic(next)
      message(next.isPublic ? 'The insight is public.' : 'The insight is no longer public.')
    } catch (problem) {
      setError(problem)
    } finally {
      setRequested(undefined)
    }
  }
  return (
    <>
      <Switch
        label="Anyone with the link can view this insight"
        checked={requested ?? isPublic}
        hint={`Visitors need no account. They see only data that ${isPublic && publisher !== null && publisher !== userName ? publisher : 'you'} can share.`}
        onChange={(next) => {
          if (requested !== undefined) return
          if (!next && linkCount !== 0) setEnding(true)
          else void change({ isPublic: next, expirationDate: null })
        }}
      />
      <ConfirmDialog
        open={isEnding}
        title="End public view"
        confirmLabel="End public view"
        danger
        onClose={() => setEnding(false)}
        onConfirm={async () => {
          await change({ isPublic: false, expirationDate: null })
          setEnding(false)
        }}
      >
        {linkCount === 1
          ? 'The link with parameters is deleted. If you publish the insight again, a new link has a different address.'
          : 'All links with parameters are deleted. If you publish the insight again, new links have different addresses.'}
      </ConfirmDialog>
      <ClosedTiles insight={insight} />
      {ended ? (
        <p className={styles.note}>
          The public view expired on <Time value={expirationDate} />.
        </p>
      ) : null}
      {error === undefined ? null : (
        <p role="alert" className={styles.note}>
          {Object.values(fieldErrors(error))[0] ?? (error as Error).message}
        </p>
      )}
      {isPublic ? (
        <>
          <div className={styles.row}>
            <DateField
              label="Expires on"
              value={expirationDate?.slice(0, 10) ?? ''}
              onChange={(date) => void change({ isPublic: true, expirationDate: date === '' ? null : date })}
            />
            <span className={styles.note}>
              {expirationDate === null ? 'Never expires.' : 'End of the day in UTC.'}
            </span>
          </div>
          <PublicLinks insight={insight} />
          <SelfActivation insight={insight} />
          <p className={styles.note}>Published by {publisher}.</p>
        </>
      ) : null}
    </>
  )
}

/** Note about tiles that visitors cannot see, also before the insight is public. */
function ClosedTiles({ insight }: { insight: Insight }) {
  const titles = publicTiles(insight.content)
    .filter(isClosedToVisitors)
    .map(({ title }) => `“${title || 'Untitled'}”`)
  if (titles.length === 0) return null
  return (
    <p className={styles.note}>
      Visitors do not see {titles.join(', ')}. Python code and symbol search are not part of a public view.
    </p>
  )
}

function isClosedToVisitors(tile: Tile): boolean {
  return tile.type === 'SEARCH' || (tile.type === 'CODE' && codeTile.parse(tile).codeType === 'python')
}

function SelfActivation({ insight }: { insight: Insight }) {
  const calls = useSharingCalls(insight)
  const [required, setRequired] = useState(
    infoValue(insight.fields, 'is_self_activation_required') === 'true',
  )
  const [tiles, setTiles] = useState(infoValue(insight.fields, 'self_activation_tiles') ?? '0')
  const visitors = useSubmittedForms(insight, required)
  async function save(next: { required: boolean; tiles: string }) {
    setRequired(next.required)
    setTiles(next.tiles)
    try {
      await calls.setFields([
        { name: 'is_self_activation_required', value: String(next.required) },
        { name: 'self_activation_tiles', value: next.tiles },
      ])
    } catch (error) {
      toastError(error)
    }
  }
  return (
    <div className={styles.section}>
      <h3>Visitor form</h3>
      <Checkbox
        label="Require name, e-mail address and company before showing all tiles"
        checked={required}
        onChange={(next) => void save({ required: next, tiles })}
      />
      {required ? (
        <Select
          label="Tiles visible before the form"
          value={tiles}
          options={selfActivationTiles.map((count) => ({ value: String(count), label: String(count) }))}
          onChange={(next) => void save({ required, tiles: next ?? '0' })}
        />
      ) : null}
      {visitors.data === undefined || visitors.data.items.length === 0 ? null : (
        <ul className={`${styles.people} ${styles.visitors}`} aria-label="Visitors" tabIndex={0}>
          {visitors.data.items.map((visitor) => (
            <li key={`${visitor.submitted} ${visitor.email}`}>
              <span className={styles.person}>
                {visitor.fullName}, {visitor.company} · {visitor.email}
                {visitor.discountCode === '' ? '' : ` · ${visitor.discountCode}`}
              </span>
              <span className={styles.role}>
                <Time value={visitor.submitted} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
