"""Files that only SAS writes: from the tests of pyreadstat (Apache-2.0)."""

from base64 import b85decode
from zlib import decompress

__all__ = ["letters", "people"]

_PEOPLE = (
    "c-rmN&x@30902h5-5qr*Nf+i|5Hwie9%|WjmQ5jWMs`zSw}hQTg8f)sO=(9#G+YSUpo0gYA9yJ`bm$KV"
    "yhIe49`a^nhrkZip@VcV3{6wFdEa^G*VAq;ribeDf#-eZ`<>_eKF>SPGc!@tcKYHQFP$v(o%{UVe01Me"
    "L&w)VvbwLdHY%0ko}sugq!2~DaaX<+KU#_kg{asYH}5l9nJhlNZG3F9GO>Mpta!&pE7eNUC-+>p_o4jD"
    "?_8)f`*fn>XXSREOdm&a)NSLy;PBwkL}`5gfg?vd^6Lji21@In7}+>7FtlOd$$_9OI=W%x#gXB5oXq=5"
    "|EslT3&(%6<xHh>oe=;4000000000000000000000000000000000000000000000000000000000000"
    "000000000000000z`xA-EoUkV<xgDBUi1{ARrT(>8;!8Pw|m^FEWakG-*>&yKiAWp|M*&?|D>6S8{N(<"
    "Uk&nK|K8}22l-=Jeru55n&r#Edh(0p&t6?Pe{7Nb)<yF9Me=8_{Cz%He)Rr(iC;G*ujkHvTQ8f7P9D6F"
    "?a`%8oqhR-AIno&T`6_Bk>CIQsrt^WdiK+wzKpu3Py6EYzm<1oiM@%<Z=G8BbTsG7x0b)Vvu^K|FVf&#"
    "l*}{tbN}+w-ScJZocX0Z-92C9{af?%U48I;Nq&#7C;$Ke00000000000000000000000000000000000"
    "000000000000000000000000000000000000C&NyKju?mz7X}Mt?k1oSHFIcUT<H&vfheanYYu*<9A#?"
    "msY;E#QH>kS2Ppl>(}Y@di(nOv({FPme;T2>Ge+5Urty4)DqVpXRU28jUNxPw;JX1!_nE-qxAiT710Cr"
    "kt?!jd21(^)pK#Z>P9f*jqE;0TeG#-5#@SX<I+zr7q>peX1qFx*937fi2H-MQ?``(ax3##_Nfoo*Pj^8"
    ";+<K1IE&xR;uFCxMbXXdo*#AOih<EewK7>9+g_X9y>IGJGHavNW)B>x)%(q3lhvfvW~ZkP?}?%vJ0>PZ"
    "N8A1M;r+Ee$?7WAvFf&ovC1<$MysRMiQ4SU)UKJ%`h$n2yYAO0Olp$0(8e^^oonsyy|Hpd_j!n0C#d5*"
    "bi_A<ak*ezF4)t!bq>47Eep<b96V<jXJ4E7+da?qC62qc#Bu)>SLzlzM_22T{!$kA1@HF_u1)(5!M=sU"
    "`!;`<)^+{DwY`w*J}2}4v;Fv|&TlzWxf}Os?n+M(KN!TTgSZgH`Fr-H`Hp|kLdQHS)7K9#apqiorSV_>"
    "C2Fl(FI)VhN&N}*;&z<"
)
_LETTERS = (
    "c-rmOPl!}?902g&n_b<tG~IP91H-{O80a$VY};-a?!a0Kx(K_0RHA`V28ktx2f_B%p;H9ey`Y1M(6NGu"
    "Aa8XH>Xvm7gpJ6*tJB+kZ`_@qJFNEdAbvjVo9}$T^S<vl@BQBI&4w`N`wNo?zAE?p^zBF8VcC!UAFf@$"
    "s;9Og)M`noKgo6}htQF<)N9F;wNNgHN=MQ>&Uk&i^1{wt+js9AAKy9l;{J*4;}eztV6;9_pNTWaeEs)V"
    "s?UA>YrPp~2dbPNnTs>SCm{)~hWn}m)&AYJU55@IJ3g<zrEjpWwq^6+a2l$8{e4keI6gGEe{f(fpBeY*"
    "F9%*~Zt?!Fo|(Kj|9b`i000000000000000000000000000000000000000000000000000000000000"
    "0000000000000000D$|<zB7{-7ph<XJAYH^4Lxc2WjaeYcC_yIU0z=s^}l&7i+fA0_3pfWpjk+=@Y&TY"
    "9*pW&u4M6aR6m>7cSQ9gd3_}MKGin$smlx3&$g)_X;ZJZsZU*MbNn{-Ba76d)6LvyG-l&;9<S%|&piH-"
    "$Mbn?<nd-6!_>CvzZM?%n>O_mZR%Uw)TgJ~9KTKdM4S57Me6bO>AA3Z^3zY=d46s}wuRA=ux|D*gnH#}"
    "^ws11?L$Y89y<I+`hIL|Y>{pc8vp<R00000000000000000000000000000000000000000000000000"
    "0000000000000000000UXg9AnX5C#^rSy2A{?5|sLjC8HHHG@mB|U}uzepY})c<j^qEP>dWM!fLgUKU>"
    "`bU#u^S`O!`0J8~irs$&=YJ{`8~?XZZ2o@;#jfA!g8ioo_P-x`3-uoej}_`42?g)p@Nly~Yj5lg=T6S#"
    "d-D34@I*+`*PlOltNi)NnWxp#Ti0x5=nU5zrO*{FH~wi%HF`rwS}mtrqp><H58dgzp4mHWMa!tu&9Ra!"
    "U*CKh-xt3b`XAK(jUj36&+p@be9dgi>&wzrm87p%hF?zCOi0(k(sZSiW<Ti)OVU-6EVv#{MdNj6kN7Ok"
    "%U4DD+9<C?`Nk-(M)^>bk3{)=`B!c1xm9^8J-6)avslgJKpuzkxHXR>c^u8-jy%q}k&m%!u2il>M(Y#x"
    "@rmtw-h1uc{(8DY8n>idE!_sv?U{5NOt)v#Z7AJ_7rNlh>)jl`>mEI4mUp$zbMuNW&10P3i1zD@_Unx1"
    "qFG-O?YAVlPm}08<2+vui>`-jcevlxMzQsIzqypk)_<$ZsqDY4%<Aa#p6Z5tCA7{<Y}swU-pv&l7VJFO"
    "(R!aW9<cc+YTud3i~q-QnzK@h@>NmZyGY)B&(5@a-ZQv7Z=CFZxOI0pa%cKYliQx=$2vm$`?{s{FI6W@"
    "Wd"
)


def people() -> bytes:
    return decompress(b85decode(_PEOPLE))


def letters() -> bytes:
    return decompress(b85decode(_LETTERS))
