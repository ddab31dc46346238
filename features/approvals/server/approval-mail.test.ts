import { expect, test } from 'vitest'
import { approvalMail } from './approval-mail.ts'

const mailOf = (publicUrl: string | undefined) =>
  approvalMail({
    to: 'boss@example.com',
    token: 'secret',
    run: { id: 'job-1', name: 'Daily', groupName: 'Flows' },
    taskName: 'Check',
    approval: { message: '', deadline: undefined, approvesAtDeadline: false } as never,
    unable: [],
    publicUrl,
  }).text

test('without the URL of the installation, the e-mail says where the approval is in the product', () => {
  expect(mailOf(undefined)).toContain('/Science/Pipeline/Approval/job-1#secret')
  expect(mailOf(undefined)).toContain('open Science, Monitor and the run of this pipeline')
  expect(mailOf('https://data.example.com')).not.toContain('Monitor')
})
