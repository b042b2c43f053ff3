import type { ProbePair } from './probe-pair.js';

export const SPANISH: readonly ProbePair[] = [
  [
    '¿Hasta qué hora puedo entrar el fin de semana?',
    'Los sábados y domingos los últimos visitantes son admitidos a las cuatro y media; las puertas se cierran con llave a las cinco y cuarto.',
  ],
  [
    '¿Tengo que pagar por mi hijo pequeño?',
    'La entrada es gratuita para menores de seis años. Los alumnos obtienen la tarifa reducida al mostrar su carné.',
  ],
  [
    '¿Se pueden hacer fotos ahí dentro?',
    'Las imágenes para uso privado están permitidas sin flash. Los trípodes requieren el consentimiento escrito de la dirección.',
  ],
  [
    '¿Dónde dejo la mochila?',
    'Los bolsos y paraguas deben depositarse en las taquillas junto a la puerta; la moneda de un euro se devuelve.',
  ],
  [
    'Mi madre no puede subir escaleras, ¿cómo llega arriba?',
    'Un ascensor comunica todas las plantas. En el mostrador se prestan sillas de ruedas sin coste.',
  ],
  ['¿Hay algo de comer?', 'La cafetería del patio sirve sopa, bocadillos y tarta hasta las cuatro de la tarde.'],
  [
    'Tengo tiempo libre y me gustaría echar una mano',
    'Los voluntarios para las visitas guiadas o el archivo se presentan por escrito en la oficina; no se exigen conocimientos previos.',
  ],
  [
    '¿Quién paga si mi niño tira algo?',
    'Los visitantes responden de los daños que causen a las piezas expuestas. De los menores responden sus padres.',
  ],
  [
    '¿Podríamos celebrar un cumpleaños con vosotros?',
    'La sala del taller puede ser alquilada por grupos de hasta quince personas; el alquiler es de 60 euros por tres horas.',
  ],
  [
    '¿Cómo voy sin coche?',
    'La línea 4 del tranvía para delante del edificio. Desde la estación son diez minutos andando.',
  ],
  [
    'Me puse malo y no fui al curso, ¿he perdido el dinero?',
    'Las cuotas de los cursos se reembolsan al presentar un certificado médico; de lo contrario puede nombrarse un sustituto.',
  ],
  [
    'Estoy muy enfadado, ¿quién me va a escuchar?',
    'Las reclamaciones las recibe la subdirectora, que contesta en un plazo de dos semanas.',
  ],
];
