import { useState } from 'react'
import {
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
import {
  maxAllowedValues,
  type AllowedParameter,
  type Insight,
  type PublicLink,
} from '../../contract/index.ts'
import { anyValue, fieldsOf, paramSetsOf } from '../../contract/params/param-set.ts'
import { usePublicLinks } from './sharing-client.ts'
import styles from './ShareDialog.module.css'

type Choices = Pick<PublicLink, 'parameters' | 'dates'>

/** The plain link to a public insight, those that let visitors choose something, and what makes another one. */
export function PublicLinks({ insight }: { insight: Insight }) {
  const { listed, create, end } = usePublicLinks(insight)
  const [madePath, setMadePath] = useState<string>()
  const [ending, setEnding] = useState<PublicLink>()
  const { origin } = window.location
  const plain = `${origin}${links.publicInsight(insight.groupName, insight.insightName)}`
  const items = listed.data?.items
  const names = allowedNames(insight)

  async function make(choices: Choices) {
    try {
      const { path } = await create(choices)
      setMadePath(path)
      message('Link created.')
    } catch (error) {
      toastError(error)
    }
  }
  return (
    <div className={styles.section}>
      <h3>Links</h3>
      <div className={styles.link}>
        <code title={plain}>{plain}</code>
        <CopyButton value={plain} label="Link" />
      </div>
      <p className={styles.note}>
        With this link visitors choose nothing: they see the values set in the insight. A link with choices is
        created below.
      </p>
      {listed.error !== null ? (
        <p className={styles.note}>{errorMessage(listed.error)}</p>
      ) : items === undefined ? (
        <Skeleton lines={2} />
      ) : (
        <>
          {items.length === 0 ? null : (
            <ul className={styles.people} aria-label="Links with choices">
              {items.map((item) => (
                <li key={item.key}>
                  <span className={styles.person}>
                    {item.path === madePath ? <strong>New: </strong> : null}
                    {choicesText(item)}
                    <span className={styles.address} title={`${origin}${item.path}`}>
                      …{item.path.slice(-shownEnd)} · created <Time value={item.created} />
                    </span>
                  </span>
                  <CopyButton value={`${origin}${item.path}`} label={`Link with ${choicesText(item)}`} />
                  <Button size="small" onClick={() => setEnding(item)}>
                    End link
                  </Button>
                </li>
              ))}
            </ul>
          )}
          <NewLink names={names} first={items[0] ?? choicesOf(insight)} onMake={make} />
        </>
      )}
      <ConfirmDialog
        open={ending !== undefined}
        title="End link"
        confirmLabel="End link"
        danger
        onClose={() => setEnding(undefined)}
        onConfirm={async () => {
          await end(ending!.key)
          message('The link has ended.')
          setEnding(undefined)
        }}
      >
        {ending === undefined
          ? ''
          : `Nobody can open the link with ${choicesText(ending)} any more. The other links stay. You can't undo this action.`}
      </ConfirmDialog>
    </div>
  )
}

/** How much of the end of an address is visible; the rest is the same in all. */
const shownEnd = 24

/** What visitors may choose by the next link. */
function NewLink({
  names,
  first,
  onMake,
}: {
  names: readonly string[]
  first: Choices
  onMake: (choices: Choices) => Promise<void>
}) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(first.parameters.map((each) => [each.name, each.values.join(', ')])),
  )
  const [dates, setDates] = useState(first.dates)
  const parameters: AllowedParameter[] = names.flatMap((name) => {
    const list = valuesIn(values[name] ?? '')
    return list.length === 0 ? [] : [{ name, values: list }]
  })
  return (
    <>
      {names.map((name) => (
        <TextField
          key={name}
          label={`Allowed values of ${name}`}
          value={values[name] ?? ''}
          placeholder="Separate values with commas; * allows any"
          hint={`At most ${maxAllowedValues} values; * allows any. Empty: visitors see the value set in the insight.`}
          onChange={(text) => setValues({ ...values, [name]: text })}
        />
      ))}
      <Checkbox label="Visitors can choose the date range" checked={dates} onChange={setDates} />
      {parameters.length > 0 || dates ? (
        <div>
          <Button onClick={() => void onMake({ parameters, dates })}>Create link</Button>
        </div>
      ) : null}
    </>
  )
}

/** The names that visitors can be allowed to choose a value for. */
function allowedNames({ content }: Insight): string[] {
  return [...new Set(paramSetsOf(content).flatMap(namesIn))]
}

/** What readers choose in an insight: any value of each parameter they see, and the range where they choose it. */
function choicesOf({ content }: Insight): Choices {
  const visible = paramSetsOf(content).filter(({ isHidden }) => !isHidden)
  const names = [...new Set(visible.flatMap(namesIn))]
  return {
    parameters: names.map((name) => ({ name, values: [anyValue.value] })),
    dates: visible.some(({ withDateRange }) => withDateRange),
  }
}

function namesIn(set: ReturnType<typeof paramSetsOf>[number]): string[] {
  return fieldsOf(set).flatMap(({ name, kind }) => (kind === 'symbol' || kind === 'metadata' ? [name] : []))
}

/** What a link allows, in words: `Metal: Copper, Nickel · date range`. */
function choicesText({ parameters, dates }: Choices): string {
  const texts = parameters.map(
    ({ name, values }) => `${name}: ${values.includes(anyValue.value) ? 'any' : values.join(', ')}`,
  )
  return [...texts, ...(dates ? ['date range'] : [])].join(' · ')
}

function valuesIn(text: string): string[] {
  return [...new Set(text.split(',').map((value) => value.trim()))].filter((value) => value !== '')
}
