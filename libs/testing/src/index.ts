export {
  contextOf,
  createFormerDatabase,
  createTestDatabase,
  createTestMember,
  type TestDatabase,
  type TestMember,
} from './database.fixture.js';
