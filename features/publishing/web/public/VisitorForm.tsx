import { useState } from 'react'
import { call, fieldErrors, Form, FormActions, Panel, SubmitButton, TextField } from '@headwater/web-kit'
import { submitPublicAccess } from '../../contract/index.ts'
import styles from './VisitorForm.module.css'

const empty = { fullName: '', email: '', company: '', discountCode: '' }

/** Form that precedes hidden tiles. Submitting it makes them visible. */
export function VisitorForm({
  name,
  hiddenTiles,
  hasVisibleTiles,
  onActivated,
}: {
  name: { groupName: string; insightName: string }
  hiddenTiles: number
  /** Whether some tiles are visible before the form. */
  hasVisibleTiles: boolean
  onActivated: (token: string) => void
}) {
  const [form, setForm] = useState(empty)
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const field = (name: keyof typeof empty) => ({
    value: form[name],
    error: errors[name],
    onChange(value: string) {
      setForm({ ...form, [name]: value })
      setErrors(Object.fromEntries(Object.entries(errors).filter(([own]) => own !== name)))
    },
  })
  async function send() {
    const { token } = await call(submitPublicAccess, { body: { ...name, ...form } })
    onActivated(token)
  }
  return (
    <Panel className={styles.panel}>
      <div className={styles.body}>
        <h2>{countText(hiddenTiles, hasVisibleTiles)}</h2>
        <p className={styles.why}>
          Enter your details to see all tiles. The publisher of this insight can see your details.
        </p>
        <Form
          label="See all tiles"
          onSubmit={send}
          onError={(error) => setErrors(error === undefined ? {} : fieldErrors(error))}
        >
          <TextField label="Full name" required autoComplete="name" {...field('fullName')} />
          <TextField label="E-mail address" type="email" required autoComplete="email" {...field('email')} />
          <TextField label="Company" required autoComplete="organization" {...field('company')} />
          <TextField label="Discount code" {...field('discountCode')} />
          <FormActions>
            <SubmitButton>See all tiles</SubmitButton>
          </FormActions>
        </Form>
      </div>
    </Panel>
  )
}

function countText(count: number, isMore: boolean): string {
  const number = count === 1 ? 'One' : String(count)
  return `${number} ${isMore ? 'more ' : ''}${count === 1 ? 'tile' : 'tiles'}`
}
