import { useState } from 'react'
import { call, fieldErrors, Form, FormActions, Panel, SubmitButton, TextField } from '@headwater/web-kit'
import { submitPublicAccess } from '../../contract/index.ts'
import styles from './VisitorForm.module.css'

const empty = { fullName: '', email: '', company: '', discountCode: '' }

/** The form in front of the tiles that are not shown yet. Whoever fills it in sees them at once. */
export function VisitorForm({
  name,
  hiddenTiles,
  onActivated,
}: {
  name: { groupName: string; insightName: string }
  hiddenTiles: number
  onActivated: (token: string) => void
}) {
  const [form, setForm] = useState(empty)
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const set = (field: keyof typeof empty) => (value: string) => {
    setForm({ ...form, [field]: value })
    setErrors(Object.fromEntries(Object.entries(errors).filter(([own]) => own !== field)))
  }
  async function send() {
    const { token } = await call(submitPublicAccess, { body: { ...name, ...form } })
    onActivated(token)
  }
  return (
    <Panel className={styles.panel}>
      <div className={styles.body}>
        <h2>{hiddenTiles === 1 ? 'One more tile' : `${hiddenTiles} more tiles`}</h2>
        <p className={styles.why}>
          Tell who you are to see everything. It is kept for who published this insight.
        </p>
        <Form
          label="See all tiles"
          onSubmit={send}
          onError={(error) => setErrors(error === undefined ? {} : fieldErrors(error))}
        >
          <TextField
            label="Full name"
            required
            autoComplete="name"
            value={form.fullName}
            error={errors.fullName}
            onChange={set('fullName')}
          />
          <TextField
            label="E-mail address"
            type="email"
            required
            autoComplete="email"
            value={form.email}
            error={errors.email}
            onChange={set('email')}
          />
          <TextField
            label="Company"
            required
            autoComplete="organization"
            value={form.company}
            error={errors.company}
            onChange={set('company')}
          />
          <TextField
            label="Discount code"
            value={form.discountCode}
            error={errors.discountCode}
            onChange={set('discountCode')}
          />
          <FormActions>
            <SubmitButton>See all tiles</SubmitButton>
          </FormActions>
        </Form>
      </div>
    </Panel>
  )
}
