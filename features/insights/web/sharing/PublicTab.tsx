import { useState } from 'react'
import {
  Button,
  Checkbox,
  CopyButton,
  DateField,
  ErrorNote,
  fieldErrors,
  links,
  message,
  Select,
  Skeleton,
  Switch,
  TextField,
  Time,
  toastError,
} from '@headwater/web-kit'
import {
  infoValue,
  maxAllowedValues,
  publicTiles,
  selfActivationTiles,
  type Insight,
  type PublicStatus,
  type Tile,
} from '../../contract/index.ts'
import { fieldsOf, paramSetsOf } from '../../contract/params/param-set.ts'
import { codeTile } from '../tiles/code/code-tile.ts'
import { usePublicStatus, useSharingCalls, useVisitors } from './sharing-client.ts'
import styles from './ShareDialog.module.css'

/** Whether anybody with the link may see an insight, until when, and how much of it at first. */
export function PublicTab({ insight }: { insight: Insight }) {
  const status = usePublicStatus(insight)
  if (status.error !== null) return <ErrorNote error={status.error} />
  if (status.data === undefined) return <Skeleton lines={5} />
  return <PublicSettings insight={insight} status={status.data} />
}

function PublicSettings({ insight, status }: { insight: Insight; status: PublicStatus }) {
  const calls = useSharingCalls(insight)
  const [error, setError] = useState<unknown>()
  const { isPublic, expirationDate, publisher } = status
  const ended = !isPublic && publisher !== null

  async function change(next: { isPublic: boolean; expirationDate: string | null }) {
    setError(undefined)
    try {
      await calls.setPublic(next)
      message(next.isPublic ? 'The insight is public.' : 'The insight is no longer public.')
    } catch (problem) {
      setError(problem)
    }
  }
  return (
    <>
      <Switch
        label="Anyone with the link can view this insight"
        checked={isPublic}
        hint="Visitors see the tiles with your current access, and nothing else."
        onChange={(next) => void change({ isPublic: next, expirationDate: null })}
      />
      <ClosedTiles insight={insight} />
      {ended ? (
        <p className={styles.note}>
          The public view ended on <Time value={expirationDate} />.
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
          <LinkMaker insight={insight} />
          <SelfActivation insight={insight} />
          <p className={styles.note}>Data is read with {publisher}'s access.</p>
        </>
      ) : null}
    </>
  )
}

/** Which tiles show nothing to visitors, said before the insight is public. */
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

/** The link, and what visitors may set by it. */
function LinkMaker({ insight }: { insight: Insight }) {
  const { link } = useSharingCalls(insight)
  const names = [
    ...new Set(
      paramSetsOf(insight.content).flatMap((set) =>
        fieldsOf(set).flatMap(({ name, kind }) => (kind === 'symbol' || kind === 'metadata' ? [name] : [])),
      ),
    ),
  ]
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [dates, setDates] = useState(false)
  const plain = `${window.location.origin}${links.publicInsight(insight.groupName, insight.insightName)}`
  const [made, setMade] = useState<string>()
  const shown = made ?? plain

  async function make() {
    const parameters = names.flatMap((name) => {
      const list = valuesIn(values[name] ?? '')
      return list.length === 0 ? [] : [{ name, values: list }]
    })
    try {
      const { path } = await link({ parameters, dates })
      setMade(`${window.location.origin}${path}`)
      message('Link created.')
    } catch (error) {
      toastError(error)
    }
  }
  return (
    <div className={styles.section}>
      <h3>Link</h3>
      <div className={styles.link}>
        <code title={shown}>{shown}</code>
        <CopyButton value={shown} label="Link" />
      </div>
      {names.map((name) => (
        <TextField
          key={name}
          label={`Allowed values of ${name}`}
          value={values[name] ?? ''}
          placeholder="Separate values with commas; * allows any"
          hint={`At most ${maxAllowedValues} values. Empty: visitors see the value set in the insight.`}
          onChange={(text) => setValues({ ...values, [name]: text })}
        />
      ))}
      <Checkbox label="Visitors can choose the date range" checked={dates} onChange={setDates} />
      {names.length > 0 || dates ? (
        <div>
          <Button onClick={() => void make()}>Create link</Button>
        </div>
      ) : null}
    </div>
  )
}

function SelfActivation({ insight }: { insight: Insight }) {
  const calls = useSharingCalls(insight)
  const [required, setRequired] = useState(
    infoValue(insight.fields, 'is_self_activation_required') === 'true',
  )
  const [tiles, setTiles] = useState(infoValue(insight.fields, 'self_activation_tiles') ?? '0')
  const visitors = useVisitors(insight, required)
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
        label="Ask for name, e-mail address and company before showing all tiles"
        checked={required}
        onChange={(next) => void save({ required: next, tiles })}
      />
      {required ? (
        <Select
          label="Tiles shown before the form"
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

function valuesIn(text: string): string[] {
  return [...new Set(text.split(',').map((value) => value.trim()))].filter((value) => value !== '')
}
