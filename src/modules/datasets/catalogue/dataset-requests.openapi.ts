/** Header of changes that apply only to one version of a dataset. */
export const IF_MATCH = {
  name: 'If-Match',
  required: false,
  description: 'Entity tag of the version to change; 412 if the dataset has changed since.',
};

/** Examples of `POST /datasets/`. */
export const CREATE_EXAMPLES = {
  private: { summary: 'Visible to its owner only', value: { name: 'My notes' } },
  team: {
    summary: 'Visible to all members of the tenant',
    value: {
      name: 'Product manuals',
      description: 'Manuals of all products that are sold.',
      acl: 'all_team_members',
      metadata: { department: 'support' },
    },
  },
};
