import { expect, test } from 'vitest'
import { createGroup, deleteGroup } from '@headwater/groups/contract'
import { startTestServer } from '@headwater/server/testing'
import { createInsightFiles } from './insight-files.ts'
import { createInsightsReadModel } from './insights-read-model.ts'

test('saving an insight while its group is being deleted is rejected with an error about the group', async () => {
  const server = await startTestServer()
  try {
    const owner = await server.createUser()
    await owner.call(createGroup, { body: { name: 'Energy' } })
    const { accounts, database, files } = server.running.platform
    const insightFiles = createInsightFiles({
      readModel: createInsightsReadModel(database, {
        find: async () => new Map(),
        publicIds: async () => [],
      }),
      files: {
        ...files,
        async create(...given) {
          const announced = await files.create(...given)
          await owner.call(deleteGroup, { params: { name: 'Energy' } })
          return announced
        },
      },
    })
    const user = await accounts.findUserByName(owner.userName)
    const principal = await accounts.findPrincipal(user!.userId)
    const about = { groupName: 'Energy', fileName: 'Prices.json', fileType: 'INSIGHT', content: '{}' }
    await expect(insightFiles.write(principal!, about)).rejects.toMatchObject({
      code: 'groupNotFound',
      message: expect.stringContaining('Energy'),
    })
  } finally {
    await server.stop()
  }
})
