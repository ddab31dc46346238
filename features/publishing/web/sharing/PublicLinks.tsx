import { useState } from 'react'
import {
  Badge,
  Button,
  Checkbox,
  ConfirmDialog,
  CopyButton,
  errorMessage,
  links,
  message,
  Skeleton,
  TextField,
  Time,
  toastError,
} from '@headwater/web-kit'
import { maxAllowedValues, type AllowedParameter, type PublicLink } from '../../contract/index.ts'
import type { Insight } from '@headwater/insights/contract'
import { anyValue, fieldsOf, paramSetsOf, type ParamField } from '@headwater/tile-data/core'
import { usePublicLinks } from './sharing-client.ts'
import styles from './ShareDialog.module.css'

type Choices = Pick<PublicLink, 'parameters' | 'dates'>

/** Links to a public insight: with choices for visitors, and without choices. */
export function PublicLinks({ insight }: { insight: Insight }) {
  const { listed, create, end } = usePublicLinks(insight)
  const [madePath, setMadePath] = useState<string>()
  const [ending, setEnding] = useState<PublicLink>()
  const { origin } = window.location
  const items = listed.data?.items
  const fields = choosableFields(insight)
  const own = choicesOf(insight)
  const textOf = (choices: Choices) => choicesText(choices, fields)

  async function make(choices: Choices) {
    try {
      const { path } = await create(choices)
      setMadePath(path)
      message(
        (await hasCopied(`${origin}${path}`))
          ? 'Link created and copied.'
          : 'Link created. The browser did not allow copying it.',
      )
    } catch (error) {
      toastError(error)
    }
  }
  const withChoices = (
    <div className={styles.section}>
      <h3>Links with parameters</h3>
      {listed.error !== null ? (
        <p className={styles.note}>{errorMessage(listed.error)}</p>
      ) : items === undefined ? (
        <Skeleton lines={2} />
      ) : (
        <>
          <NewLink fields={fields} first={items[0] ?? own} onMake={make} />
          {items.length === 0 ? null : (
            <ul className={styles.people} aria-label="Links with parameters">
              {items.map((item) => (
                <li key={item.key}>
                  <span className={styles.person}>
                    {textOf(item)} {item.path === madePath ? <Badge>New</Badge> : null}
                    <code className={styles.url}>{`${origin}${item.path}`}</code>
                    <span className={styles.address}>
                      Created <Time value={item.created} />
                    </span>
                  </span>
                  <CopyButton value={`${origin}${item.path}`} label={`Link with ${textOf(item)}`} />
                  <Button size="small" onClick={() => setEnding(item)}>
                    Revoke link
                  </Button>
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </div>
  )
  const withoutChoices = (
    <PlainLink address={`${origin}${links.publicInsight(insight.groupName, insight.insightName)}`} />
  )
  return (
    <>
      {/* If readers of the insight have choices, the links with choices come first. */}
      {isClosed(own) ? null : withChoices}
      {withoutChoices}
      {isClosed(own) ? withChoices : null}
      <ConfirmDialog
        open={ending !== undefined}
        title="Revoke link"
        confirmLabel="Revoke link"
        danger
        onClose={() => setEnding(undefined)}
        onConfirm={async () => {
          await end(ending!.key)
          message('Link revoked.')
          setEnding(undefined)
        }}
      >
        {ending === undefined
          ? ''
          : `The link with ${textOf(ending)} will stop working. Other links stay valid. You can't undo this action.`}
      </ConfirmDialog>
    </>
  )
}

/** Copies text; returns whether the browser allowed it. */
function hasCopied(text: string): Promise<boolean> {
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  )
}

/** Link with which visitors see the saved values and ranges. */
function PlainLink({ address }: { address: string }) {
  return (
    <div className={styles.section}>
      <h3>Link with saved values</h3>
      <div className={styles.link}>
        <code className={styles.url}>{address}</code>
        <CopyButton value={address} label="Link" />
      </div>
      <p className={styles.note}>Visitors see the saved values and ranges and cannot change them.</p>
    </div>
  )
}

/** Form for the choices of a new link. */
function NewLink({
  fields,
  first,
  onMake,
}: {
  fields: readonly ParamField[]
  first: Choices
  onMake: (choices: Choices) => Promise<void>
}) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(first.parameters.map((each) => [each.name, each.values.join(', ')])),
  )
  const [dates, setDates] = useState(first.dates)
  const [busy, setBusy] = useState(false)
  const parameters: AllowedParameter[] = fields.flatMap(({ name }) => {
    const list = valuesIn(values[name] ?? '')
    return list.length === 0 ? [] : [{ name, values: list }]
  })
  const choices = { parameters, dates }

  async function create() {
    setBusy(true)
    await onMake(choices)
    setBusy(false)
  }
  return (
    <>
      <p className={styles.note}>
        Separate values with commas, at most {maxAllowedValues} for each parameter. * allows any value.
        Without values, visitors see the saved value.
      </p>
      {fields.map(({ name }) => (
        <TextField
          key={name}
          label={`Allowed values of ${labelOf(name, fields)}`}
          value={values[name] ?? ''}
          onChange={(text) => setValues({ ...values, [name]: text })}
        />
      ))}
      <Checkbox label="Visitors can choose the date range" checked={dates} onChange={setDates} />
      <div>
        <Button busy={busy} disabled={isClosed(choices)} onClick={() => void create()}>
          Create link
        </Button>
      </div>
    </>
  )
}

/** Returns the parameter fields that a link can allow, one per name. */
function choosableFields({ content }: Insight): ParamField[] {
  const all = paramSetsOf(content).flatMap(fieldsIn)
  return all.filter(({ name }, at) => all.findIndex((other) => other.name === name) === at)
}

/** Returns the choices of readers of an insight: any value of each visible parameter, and the date range if they can choose it. */
function choicesOf({ content }: Insight): Choices {
  const visible = paramSetsOf(content).filter(({ isHidden }) => !isHidden)
  const names = [...new Set(visible.flatMap(fieldsIn).map(({ name }) => name))]
  return {
    parameters: names.map((name) => ({ name, values: [anyValue.value] })),
    dates: visible.some(({ withDateRange }) => withDateRange),
  }
}

/** Returns whether visitors have no choices. */
function isClosed({ parameters, dates }: Choices): boolean {
  return parameters.length === 0 && !dates
}

function fieldsIn(set: ReturnType<typeof paramSetsOf>[number]): ParamField[] {
  return fieldsOf(set).filter(({ kind }) => kind === 'symbol' || kind === 'metadata')
}

/** Returns the label of a parameter, with its name if another parameter has the same label. */
function labelOf(name: string, fields: readonly ParamField[]): string {
  const label = fields.find((field) => field.name === name)?.label ?? name
  const isShared = fields.some((field) => field.name !== name && field.label === label)
  return isShared ? `${label} (${name})` : label
}

/** Describes the choices of a link: `Metal: Copper, Nickel · Date range: Any`. */
function choicesText({ parameters, dates }: Choices, fields: readonly ParamField[]): string {
  const texts = parameters.map(
    ({ name, values }) =>
      `${labelOf(name, fields)}: ${values.includes(anyValue.value) ? anyValue.label : values.join(', ')}`,
  )
  return [...texts, ...(dates ? [`Date range: ${anyValue.label}`] : [])].join(' · ')
}

function valuesIn(text: string): string[] {
  return [...new Set(text.split(',').map((value) => value.trim()))].filter((value) => value !== '')
}
