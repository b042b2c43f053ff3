import type { ProbePair } from './probe-pair.js';

export const PORTUGUESE: readonly ProbePair[] = [
  [
    'Até que horas posso entrar no fim de semana?',
    'Aos sábados e domingos os últimos visitantes são admitidos às quatro e meia; as portas são trancadas às cinco e um quarto.',
  ],
  [
    'Tenho de pagar pelo meu filho pequeno?',
    'A entrada é gratuita para menores de seis anos. Os alunos têm a tarifa reduzida mediante apresentação do cartão.',
  ],
  [
    'Pode-se tirar fotos lá dentro?',
    'As imagens para uso privado são permitidas sem flash. Os tripés exigem o consentimento escrito da direção.',
  ],
  [
    'Onde deixo a mochila?',
    'Malas e guarda-chuvas devem ser colocados nos cacifos junto à entrada; a moeda de um euro é devolvida.',
  ],
  [
    'A minha mãe não consegue subir escadas, como chega lá acima?',
    'Um elevador liga todos os andares. No balcão emprestam-se cadeiras de rodas sem custos.',
  ],
  ['Há alguma coisa para comer?', 'O café do pátio serve sopa, sandes e bolo até às quatro da tarde.'],
  [
    'Tenho tempo livre e gostava de dar uma ajuda',
    'Os voluntários para as visitas guiadas ou para o arquivo candidatam-se por escrito no escritório; não são exigidos conhecimentos prévios.',
  ],
  [
    'Quem paga se o meu miúdo deitar alguma coisa ao chão?',
    'Os visitantes respondem pelos danos que causem às peças expostas. Pelos menores respondem os pais.',
  ],
  [
    'Podíamos festejar um aniversário aí?',
    'A sala de oficina pode ser alugada por grupos de até quinze pessoas; o aluguer é de 60 euros por três horas.',
  ],
  ['Como vou para aí sem carro?', 'A linha 4 do elétrico para em frente do edifício. Da estação são dez minutos a pé.'],
  [
    'Fiquei doente e faltei à aula, perdi o dinheiro?',
    'As taxas dos cursos são reembolsadas mediante atestado médico; caso contrário pode ser indicado um substituto.',
  ],
  [
    'Estou mesmo zangado, quem me ouve?',
    'As reclamações são recebidas pela subdiretora, que responde no prazo de duas semanas.',
  ],
];
