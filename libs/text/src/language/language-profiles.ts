/** What tells a language in Latin script: frequent short words, and letters that few others write. */
export interface LanguageProfile {
  language: string;
  words: ReadonlySet<string>;
  /** Letters that speak for the language; empty when there are none. */
  letters: string;
}

function profile(language: string, letters: string, words: string): LanguageProfile {
  return { language, letters, words: new Set(words.split(' ')) };
}

/** Lower case, as written. The order decides ties. */
export const LATIN_PROFILES: readonly LanguageProfile[] = [
  profile(
    'en',
    '',
    'the of and to in is that for it was on are as with his they be at this have from or by not but what all were when we there can an your which their said if will each about how up out them then she many some so these would other into has more her two like him see time could no make than been its who now did only may after should where why does did am name total date amount price quantity let list item items phone address street city country delivery costs revenue profit',
  ),
  profile(
    'de',
    'ßäöü',
    'der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über einen so zum war haben nur oder aber vor zur bis mehr durch man sein wurde kann wenn ich wir muss darf kein keine mein meine wohin ihre diese dieser unter sehr gegen vom können schon zwischen was wer wo wann warum welche welcher welches welchen wie viele hatte nannte name summe gesamt umsatz datum betrag preis menge anzahl artikel erstellt stand monat jahr preisliste preise telefon adresse straße versand lieferung rechnung stück',
  ),
  profile(
    'fr',
    'êèàçœûîëùô',
    'de la le et les des en un une du dans est que pour qui sur il au par plus ne pas se ce avec sont cette ou son ont mais aux été comme nous vous ils elle leur être sa ces fait deux même aussi bien sans peut tout tous je on entre après où était dont donc lui très quel quelle quels quelles comment combien quand nom total montant prix quantité mois liste adresse téléphone livraison',
  ),
  profile(
    'es',
    'ñ¿¡áíóú',
    'de la que el en y a los se del las un por con no una su para es al lo como más o pero sus le ha me si sin sobre este ya entre cuando todo esta ser son dos también fue había era muy años hasta desde está mi porque qué sólo han yo hay vez puede todos así nos ni parte tiene él uno donde lista precio precios dirección teléfono cantidad',
  ),
  profile(
    'it',
    'èòìù',
    'di e il la che in un a per è una sono del non con si le i da della come al ha dei nel più gli alla anche lo delle ma dal ed su nella questo cui dalla ai se o essere stato tra due degli era loro fu sua suo ci quando dopo molto può hanno questa tutti così solo ancora listino prezzo prezzi indirizzo telefono spedizione totale quantità',
  ),
  profile(
    'pt',
    'ãõçâêôáóíú',
    'de a o que e do da em um para é com não uma os no se na por mais as dos como mas foi ao ele das tem à seu sua ou ser quando muito há nos já está eu também só pelo pela até isso ela entre era depois sem mesmo aos ter seus quem nas me esse eles estão você tinha foram essa num nem são lista preço preços endereço telefone quantidade',
  ),
  profile(
    'nl',
    'ĳ',
    'de van het een en in is dat op te zijn met voor die niet aan er om ook als dan maar bij of uit nog naar door over tot je hij was worden werd wordt heeft ze hebben meer deze kan al dit zo had ik wat geen moet waar wel veel haar tegen zich na tussen onder kunnen omdat prijs prijzen prijslijst adres telefoon verzending aantal',
  ),
  profile(
    'sv',
    'åäö',
    'och i att det som en på är av för med till den har de inte om ett han men var jag sig från vi så kan när år under också efter eller nu sin där vid mot ska skulle kommer ut får finns vara hade alla andra mycket än här då sedan över bara in blir upp även vad hur',
  ),
  profile(
    'da',
    'æøå',
    'og i at det er en til af på som for med den de ikke der har et var han sig men om fra jeg vi så kan ved eller efter blev nu skal være også kun hun havde over år ud dem end når bliver mange op hvor noget meget andre hvad blevet mellem mod hvis dette',
  ),
  profile(
    'no',
    'æøå',
    'og i det er på som en til av for at med de ikke den har om et var han fra jeg seg men vi så kan etter eller ble nå skal være også bare hun hadde over år ut dem enn når blir mange opp hvor noe mye andre hva blitt mellom mot hvis dette fram bli',
  ),
  profile(
    'fi',
    'äö',
    'ja on ei se että oli hän ovat mutta myös kun tai joka niin kuin mukaan vuonna sen ole jos olla hänen sekä jotka vain voi nyt jo ne siitä tämä jonka kanssa sitä mitä tämän ollut useita mikä joissa sillä olivat noin muun vuoden jossa',
  ),
  profile(
    'pl',
    'łąęśżźćń',
    'w i na z do się nie jest to że o jak po co od za ale przez dla są tym był czy by był była być oraz ten ma go tego jej jego może tylko ich już lub które który która przy które także bardzo więc kiedy gdzie roku jako pod tak nad jeszcze cennik cena adres dostawa ilość razem',
  ),
  profile(
    'cs',
    'řěůčšž',
    'a v se na je že s z do o to i jako za pro ve po k ale by si jeho od ze které který která jsou byl byla bylo nebo také tak při roku jen až být již podle další více jsem před let mezi už kde není může co jak když pod však ceník cena adresa doprava celkem množství',
  ),
  profile(
    'sk',
    'ľĺŕôäč',
    'a v sa na je že s z do o to aj ako za pre vo po k ale by si jeho od zo ktoré ktorý ktorá sú bol bola bolo alebo tiež tak pri roku len až byť podľa ďalší viac som pred medzi už kde nie môže čo ak keď pod však',
  ),
  profile(
    'tr',
    'ğışç',
    've bir bu da de için ile olarak çok daha en gibi olan kadar sonra ne var o ki ise ancak her ya ama olduğu yıl göre tarafından veya değil mi ben sen şey bütün nasıl neden önce bunu onun kendi arasında üzere fiyat listesi adres teslimat toplam tarih adet',
  ),
  profile(
    'ro',
    'ășțţ',
    'de și în a la cu o pe din care nu este un se că mai fi pentru au sa sunt ce prin lui al dar ca fost era după cele sau ei să fără foarte această acest între până când între doar cum unei unui',
  ),
  profile(
    'hu',
    'őűö',
    'a az és hogy nem is egy volt ez meg de csak már el mint még ha van vagy azt ki lesz ezt azonban majd mert fel után szerint között kell minden nagyon lehet sem itt által két illetve aki ami',
  ),
  profile(
    'id',
    '',
    'yang dan di dengan untuk ini itu dari dalam tidak pada adalah akan ke juga oleh saya bisa ada atau telah sebagai karena mereka lebih sudah dapat tersebut kami kita anda seperti menjadi secara bahwa',
  ),
  profile(
    'vi',
    'ăđơưạảấầẩậắằẵặẹẻẽếềểễệỉịọỏốồổộớờởợụủứừửựỳỷỹ',
    'và của là có trong được cho không các một với những người này đã khi để đến từ tại cũng theo về như vào năm trên sau nhiều đó ra',
  ),
];
